import { advise, deviates, faultless, notRun } from '../finding.ts';
import type { JsonObject } from '../json.ts';
import { pick, show } from '../json.ts';
import { sessionOf } from '../peer.ts';
import type { Rule, Subject } from '../rule.ts';
import { belongsToTurn, kindOf, runTurn } from '../turn.ts';
import type { Turn } from '../turnOutcome.ts';
import { AUTH_REQUIRED, told } from '../walk.ts';
import type { Walk } from '../walk.ts';
import { advertised, offers } from './sessions.ts';
import { watched } from './watched.ts';

/** Milliseconds after a cancellation in which the end of a turn may have been on its way already. */
const CROSSED_MS = 250;

const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const answer: Rule = {
  id: 'prompt.answer',
  title: 'A turn ends with a stop reason',
  spec: 'prompt-turn#stop-reasons',
  prompts: true,
  check: async (walk) => {
    const turn = await runTurn(walk, await walk.session(), [text(walk)], 'allow');
    ended(walk, turn);
    walk.allowed = turn;
  },
};

const output: Rule = {
  id: 'prompt.output',
  title: 'A turn says something, and says it before it is answered',
  spec: 'prompt-turn#4-check-for-completion',
  prompts: true,
  check: (walk) => {
    const { updates, late } = allowed(walk);
    const tardy = late.filter(belongsToTurn);
    if (tardy.length > 0) advise(`after the answer came ${tardy.map(kindOf).join(', ')}`);
    if (!updates.some(belongsToTurn)) advise('no message, no thought and no tool call came');
  },
};

const oneSession: Rule = {
  id: 'prompt.session',
  title: 'What a turn says belongs to its own session',
  spec: 'prompt-turn#3-agent-reports-output',
  prompts: true,
  check: (walk) => {
    const { updates, sessionId } = allowed(walk);
    const others = updates.filter((one) => belongsToTurn(one) && sessionOf(one) !== sessionId);
    const [first] = others;
    if (first !== undefined) deviates(`${kindOf(first)} for the session ${show(sessionOf(first))}`);
  },
};

const toolsEnd: Rule = {
  id: 'tools.end',
  title: 'Tool calls have ended when their turn ends',
  spec: 'tool-calls#status',
  prompts: true,
  check: (walk) => {
    const { open } = allowed(walk);
    if (open.length > 0) advise(`still open: ${open.join(', ')}`);
  },
};

const permissionAllowed: Rule = {
  id: 'permission.allowed',
  title: 'A turn whose permission requests are allowed goes on to its end',
  spec: 'tool-calls#requesting-permission',
  prompts: true,
  check: (walk) => {
    asked(walk);
    const reason = stopReason(allowed(walk));
    if (reason === 'cancelled') deviates('it ended as cancelled, and nobody had cancelled it');
  },
};

const permissionRejected: Rule = {
  id: 'permission.rejected',
  title: 'A turn whose permission requests are rejected ends with a stop reason',
  spec: 'tool-calls#requesting-permission',
  prompts: true,
  check: async (walk) => {
    asked(walk);
    const turn = await runTurn(walk, await walk.otherSession(), [text(walk)], 'reject');
    ended(walk, turn);
    if (turn.open.length > 0) advise(`tool calls are left open: ${turn.open.join(', ')}`);
  },
};

const cancel: Rule = {
  id: 'cancel.answer',
  title: 'A cancelled turn ends with the stop reason "cancelled", not with an error',
  spec: 'prompt-turn#cancellation',
  prompts: true,
  check: async (walk) => {
    const turn = await runTurn(walk, await walk.otherSession(), [text(walk)], 'hold');
    const { cancelledFor } = turn;
    if (turn.reply.kind === 'nothing') deviates(told(turn.reply));
    if (cancelledFor === undefined) notRun('the turn was over before it could be cancelled');
    walk.cancelled = turn;
    if (stopReason(turn) === 'cancelled') return;
    if (turn.reply.kind === 'result' && cancelledFor < CROSSED_MS && !turn.held) {
      ended(walk, turn);
      walk.cancelled = undefined;
      notRun('the turn ended while it was being cancelled');
    }
    deviates(told(turn.reply));
  },
};

const cancelSilence: Rule = {
  id: 'cancel.updates',
  title: 'Of a cancelled turn no update comes after its answer',
  spec: 'prompt-turn#cancellation',
  prompts: true,
  check: (walk) => {
    const late = cancelled(walk).late.filter(belongsToTurn);
    if (late.length > 0) deviates(`after it came ${late.map(kindOf).join(', ')}`);
  },
};

const cancelPermission: Rule = {
  id: 'cancel.permission',
  title: 'A turn that is cancelled while it asks for permission ends as cancelled',
  spec: 'tool-calls#requesting-permission',
  prompts: true,
  check: (walk) => {
    const turn = cancelled(walk);
    if (!turn.held) notRun('it had not asked for permission when it was cancelled');
    if (stopReason(turn) !== 'cancelled') deviates(told(turn.reply));
  },
};

/** A kind of content that a client may send only where it is declared. */
function undeclared(capability: string, block: JsonObject): Rule {
  const type = String(block['type']);
  return {
    id: `content.${type}`,
    title: `Content of the type "${type}" is refused where it is not declared`,
    spec: 'initialization#prompt-capabilities',
    prompts: true,
    check: async (walk) => {
      if (offers(walk, 'promptCapabilities', capability)) notRun('it is declared');
      const turn = await runTurn(walk, await walk.otherSession(), [block], 'reject');
      if (turn.reply.kind !== 'error') advise(told(turn.reply));
    },
  };
}

const bare: Rule = {
  id: 'prompt.baseline',
  title: 'Text with a link to a file is taken, from a client that offers nothing',
  spec: 'initialization#prompt-capabilities',
  prompts: true,
  when: 'late',
  check: async (walk) => {
    if (walk.agent === undefined) notRun('initialize was not answered');
    await walk.greeted({});
    const link = {
      type: 'resource_link',
      name: 'notes.txt',
      uri: `file://${walk.options.scratch}/notes.txt`,
    };
    ended(walk, await runTurn(walk, await walk.session(), [text(walk), link], 'allow'));
  },
};

/** Opening the session of the first turn again, in another process. */
function again(name: 'load' | 'resume', spec: string, ...capability: string[]): Rule {
  return {
    id: `session.${name}`,
    title:
      name === 'load'
        ? 'session/load tells the whole conversation before it is answered'
        : 'session/resume tells nothing of the conversation',
    spec,
    prompts: true,
    when: 'late',
    check: async (walk) => {
      advertised(walk, ...capability);
      const { sessionId } = allowed(walk);
      const peer = await walk.greeted();
      walk.knows(sessionId);
      const params = { sessionId, cwd: walk.options.scratch, mcpServers: [] };
      const reply = await walk.ask(`session/${name}`, params);
      if (reply.kind !== 'result') deviates(told(reply));
      if (reply.value !== null) {
        faultless(peer.watch.extras(reply.value, 'SessionSetupResponse', reply.frame));
      }
      const kinds = peer.calls.slice(0, reply.callsBefore).map(kindOf);
      const said = kinds.some((kind) => kind === 'agent_message_chunk' || kind === 'tool_call');
      const heard = kinds.includes('user_message_chunk');
      if (name === 'resume' ? !heard && !said : heard && said) return;
      deviates(
        kinds.length === 0 ? 'no update came' : `what came: ${[...new Set(kinds)].join(', ')}`,
      );
    },
  };
}

const none = { nothing: 'there was no tool call' };

export const prompts: Subject = {
  name: 'Turns',
  rules: [
    answer,
    output,
    oneSession,
    watched(
      'toolOrder',
      {
        id: 'tools.order',
        title: 'A tool call is begun once, before it is updated',
        spec: 'tool-calls#updating',
      },
      none,
    ),
    watched(
      'toolStatus',
      {
        id: 'tools.status',
        title: 'The status of a tool call goes forward',
        spec: 'tool-calls#status',
      },
      none,
    ),
    watched(
      'terminals',
      {
        id: 'tools.terminals',
        title: 'Tool calls show only terminals that the client has created',
        spec: 'tool-calls#terminals',
      },
      none,
    ),
    toolsEnd,
    watched(
      'permissions',
      {
        id: 'permission.shape',
        title: 'Permission requests are as the schema has them, each option with an id of its own',
        spec: 'tool-calls#permission-options',
      },
      { nothing: 'there were none' },
    ),
    permissionAllowed,
    permissionRejected,
    cancel,
    cancelSilence,
    cancelPermission,
    undeclared('image', { type: 'image', mimeType: 'image/png', data: PIXEL }),
    undeclared('audio', { type: 'audio', mimeType: 'audio/wav', data: 'UklGRiQAAABXQVZFZm10IA==' }),
    undeclared('embeddedContext', {
      type: 'resource',
      resource: { uri: 'file:///notes.txt', text: 'A note.' },
    }),
    bare,
    again('load', 'session-setup#loading-sessions', 'loadSession'),
    again('resume', 'session-setup#resuming-sessions', 'sessionCapabilities', 'resume'),
  ],
};

function text(walk: Walk): JsonObject {
  return { type: 'text', text: walk.options.prompt ?? '' };
}

/** Ends the check unless the turn has ended as the specification has it. */
function ended(walk: Walk, { reply }: Turn): void {
  if (reply.kind === 'nothing') deviates(told(reply));
  if (reply.kind === 'error') {
    if (reply.code === AUTH_REQUIRED) notRun('needs sign-in');
    advise(`the turn failed: ${told(reply)}`);
  }
  faultless(walk.current?.watch.extras(reply.value, 'PromptResponse', reply.frame) ?? []);
}

function allowed(walk: Walk): Turn {
  return walk.allowed ?? notRun('the first turn did not end');
}

function cancelled(walk: Walk): Turn {
  return walk.cancelled ?? notRun('no turn was cancelled');
}

function asked(walk: Walk): void {
  if (!allowed(walk).asked) notRun('it did not ask for permission; another --prompt may make it');
}

function stopReason({ reply }: Turn): unknown {
  return reply.kind === 'result' ? pick(reply.value, 'stopReason') : undefined;
}
