import { VERSION } from './version.ts';

/** What `--help` prints. */
export const USAGE = `Parley Reference Agent ${VERSION}

An agent for the Agent Client Protocol (ACP v1) that works offline and always does the same. There is no
language model inside: it explains files, searches a folder, makes plans, and proposes edits that it writes
only with permission. Use it to try a client, or to test one. Give it a language model of your own, and it
becomes a coding agent.

Usage
  node agent.js             speak ACP on stdin and stdout until stdin ends
      --max-sessions N      hold at most N sessions, negative for no limit (default 1024); one more is refused
  node agent.js --scene FILE      play a scene instead: what an agent does, frame by frame
  node agent.js --replay FILE     play back what an agent once said, in step with the client
      --speed N             divide the pauses by N; a recording is played without pauses if it is left out
  node agent.js conformance [--prompt TEXT] [--format text|json|markdown] -- COMMAND ARGS
                            check how any agent keeps to the protocol; turns only with --prompt, which may cost money
  node agent.js --help      print this text
  node agent.js --version   print the version
  node agent.js --terminal-demo   print colours and a progress bar, which /terminal shows

In a client
  Start it as any other agent on stdio. In Zed, JetBrains and Parley that is
    { "command": "node", "args": ["/path/to/agent.js"] }
  Then write /help to see what it can do.

By hand
  echo '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":1,"clientCapabilities":{}}}' |
    node agent.js

Scenes and recordings
  A scene is JSON: { "scene": 1, "steps": [
    { "expect": "session/prompt" }, { "say": "Hello" }, { "answer": { "stopReason": "end_turn" } }] }
  A step is one of send, raw, bytes, update, say, answer, fail, expect, pause, flood, repeat, silence, exit
  and stderr. "reactions" are done whenever a frame comes: [{ "on": "session/cancel", "do": [steps] }].
  \${request.params.cwd}, \${session}, \${cwd} and \${count} are put in. What is not expected ends it with code 1.
  A recording has a line { "ts": ms, "dir": "send" or "recv", "raw": "the line" } for each frame, as the
  traces of Parley do; "send" is the client. Other prompts, Stop and other answers are taken as they come.

What it does with your files
  It reads inside the session's folder and nowhere else: through the client where that offers
  fs/read_text_file, else from the disk; names of files, and in which files a word stands, it finds on the disk. It writes only through the client's fs/write_text_file, and only
  after you have allowed it. It uses no network unless you give it a model. It starts no programs by itself:
  commands run in the client's terminals, and only after you have allowed them.

Environment
  PARLEY_AGENT_PACE_MS      pause between two pieces of a streamed answer, in milliseconds
                            (0 to 1000, default 8; 0 streams as fast as the client reads)
  PARLEY_AGENT_SESSIONS     the folder in which sessions are kept, at most 200, so that a client can list them and
                            load them again; by default one of its own where the system keeps such things

A language model
  PARLEY_AGENT_BASE_URL     an endpoint that speaks OpenAI's chat completions (Ollama, llama.cpp, vLLM,
                            LM Studio, or a service), for example http://127.0.0.1:11434/v1
  PARLEY_AGENT_MODEL        the name of the model there
  PARLEY_AGENT_API_KEY      where a key is needed; it is sent to that host alone
  PARLEY_AGENT_CONTEXT_TOKENS   how much the model has room for (2048 to 4194304, default 32768)
  PARLEY_AGENT_PATIENCE_MS  how long the endpoint may be silent (50 to 290000, default 240000)

  Then whatever is no slash command goes to the model, with tools to read, list, search, edit, write, run and
  plan: those that your client offers. It changes files and runs commands only after you have allowed it.

stdout carries the protocol; everything else goes to stderr. SIGTERM, SIGINT and the end of stdin end it.
Exit code 0 after a normal end, 1 for a scene or an agent that does not hold, 2 for a wrong option or file.
`;
