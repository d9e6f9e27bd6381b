import path from 'node:path';
import type {
  ReadTextFileRequest,
  ReadTextFileResponse,
  ToolCallContent,
  WriteTextFileRequest,
  WriteTextFileResponse,
} from '../../protocol/acp.ts';
import { messageOf } from '../../base/errors.ts';
import type { PermissionChoice } from '../../thread/thread.ts';
import type { FileAccess, Grants, Verdict } from '../files/access.ts';
import type { FileQueue } from '../files/fileQueue.ts';
import { KnownTexts } from '../files/knownTexts.ts';
import type { FileUse, Place } from '../files/place.ts';
import type { TextFiles, Written } from '../files/textFiles.ts';
import { FileFault, type Log, type Workspace } from '../ports.ts';
import { textContent, type OwnCalls } from '../session/ownCalls.ts';
import type { Consent, OwnQuestions } from '../session/ownQuestions.ts';
import type { AnnouncedWrites } from './announcedWrites.ts';
import { answered } from './answers.ts';
import { callNaming, mayChange } from './callPaths.ts';
import type { Gate } from './gate.ts';

/** Characters of both sides of a change that the chat keeps; of a larger one it only says that it was made. */
const SHOWN_CHANGE = 2_000_000;

const ALLOW = 'allow';
const ALLOW_FOLDER = 'allow_folder';
const REJECT: PermissionChoice = { optionId: 'reject', name: 'Reject', kind: 'reject_once' };

type Ask = Extract<Verdict, { kind: 'ask' }>;

export interface ChatFilesParts {
  readonly chatId: string;
  /** The agent's name, for people. */
  readonly agentName: () => string;
  /** The folder of the session: absolute. */
  readonly cwd: string;
  readonly access: FileAccess;
  readonly texts: () => Promise<TextFiles>;
  readonly gate: Gate;
  readonly writes: FileQueue;
  /** What the person has allowed in this chat. */
  readonly grants: Grants;
  readonly questions: OwnQuestions;
  readonly calls: OwnCalls;
  readonly announced: AnnouncedWrites;
  readonly workspace: Workspace;
  /** False once the person has stopped the turn, until the next one. */
  readonly mayWrite: () => boolean;
  readonly log: Log;
}

/**
 * Serves `fs/read_text_file` and `fs/write_text_file` of one session: judges the path, asks the person where that is
 * due, and shows in the chat what was written without a word of the agent.
 */
export class ChatFiles {
  /** What this session's agent has read and written. */
  private readonly known = new KnownTexts();

  constructor(private readonly parts: ChatFilesParts) {}

  readTextFile(params: ReadTextFileRequest, signal: AbortSignal): Promise<ReadTextFileResponse> {
    const { gate, chatId, texts } = this.parts;
    return this.answered(params.path, async () => {
      const verdict = await this.judge(params.path, 'read', signal);
      const consent =
        verdict.kind === 'ask' ? await this.askOutside(verdict, 'read', signal) : null;
      const span = { line: params.line ?? null, limit: params.limit ?? null };
      const content = await this.done(consent, () =>
        gate.run(
          chatId,
          async () => (await texts()).read(verdict.place, span, this.known, signal),
          signal,
        ),
      );
      consent?.own?.update({ status: 'completed' });
      return { content };
    });
  }

  writeTextFile(
    { path: named, content }: WriteTextFileRequest,
    signal: AbortSignal,
  ): Promise<WriteTextFileResponse> {
    return this.answered(named, async () => {
      if (!this.parts.workspace.trusted()) {
        throw new FileFault(
          'refused',
          'Files cannot be written: the person has not trusted this workspace.',
        );
      }
      const verdict = await this.judge(named, 'write', signal);
      const consent = verdict.kind === 'ask' ? await this.askWrite(verdict, content, signal) : null;
      const written = await this.done(consent, () => this.written(verdict.place, content, signal));
      if (verdict.kind === 'ask' && verdict.secret) {
        consent?.own?.update({ status: 'completed' });
      } else {
        await this.show(verdict.place, content, written, consent);
      }
      return {};
    });
  }

  private answered<T>(named: string, work: () => Promise<T>): Promise<T> {
    return answered(this.parts.log, `Resource not found: ${named}`, work);
  }

  /** To judge a path is work on the disk, too: who asks for very many keeps nobody else waiting. */
  private judge(named: string, use: FileUse, signal: AbortSignal): Promise<Verdict> {
    const { access, chatId, cwd, gate, grants } = this.parts;
    const reach = { directories: [cwd], grants };
    return gate.run(chatId, () => access.judge(named, use, reach), signal);
  }

  private written(place: Place, content: string, signal: AbortSignal): Promise<Written> {
    const { gate, chatId, texts, writes, agentName, mayWrite } = this.parts;
    const writer = { agentName: agentName(), known: this.known };
    const key = place.kind === 'disk' ? place.real : place.path;
    return writes.run(
      key,
      () =>
        gate.run(
          chatId,
          async () => {
            const files = await texts();
            // It may have waited for its place.
            if (!mayWrite()) {
              throw new FileFault(
                'refused',
                'The person has stopped this turn: no file is written.',
              );
            }
            return files.write(place, content, writer, signal);
          },
          signal,
        ),
      signal,
    );
  }

  /** Tells the call that asked if it fails. */
  private async done<T>(consent: Consent | null, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      consent?.own?.failed(messageOf(error));
      throw error;
    }
  }

  private askWrite(verdict: Ask, content: string, signal: AbortSignal): Promise<Consent> {
    return verdict.once
      ? this.askChange(verdict, content, signal)
      : this.askOutside(verdict, 'write', signal);
  }

  /** May the agent use this file outside of its folders? The answer is remembered while the chat is open. */
  private async askOutside(verdict: Ask, use: FileUse, signal: AbortSignal): Promise<Consent> {
    const { place, reason, folder, once } = verdict;
    const consent = await this.parts.questions.ask(
      {
        reason,
        call: {
          title: `${use === 'read' ? 'Read' : 'Write'} ${place.path}`,
          kind: use === 'read' ? 'read' : 'edit',
          locations: [{ path: place.path }],
        },
        about: await this.openCallFor(place, use),
        options: [
          once
            ? { optionId: ALLOW, name: 'Allow once', kind: 'allow_once' }
            : { optionId: ALLOW, name: 'Allow this file', kind: 'allow_always' },
          ...(folder === null
            ? []
            : [
                {
                  optionId: ALLOW_FOLDER,
                  name: `Allow this folder: ${folder}`,
                  kind: 'allow_always',
                } as const,
              ]),
          REJECT,
        ],
        refusal: `The person refused to let you ${use} ${place.path}.`,
        words: {
          title: `${use === 'read' ? 'Read' : 'Write'} ${path.basename(place.path)}`,
          subject: place.path,
        },
      },
      signal,
    );
    if (consent.optionId === ALLOW_FOLDER && folder !== null) {
      this.parts.grants.allowFolder(folder, use);
    } else if (!once) {
      this.parts.grants.allowFile(place, use);
    }
    return consent;
  }

  /** May the agent make this very change? Asked each time, with the change shown. */
  private async askChange(verdict: Ask, content: string, signal: AbortSignal): Promise<Consent> {
    const { place, reason, secret } = verdict;
    // What a secret file holds is not for the chat, which is kept.
    const before = secret ? null : await this.present(place, signal);
    const size = sizeOf(before, content);
    if (size > SHOWN_CHANGE) {
      throw new FileFault(
        'refused',
        `The person must see each change of this file before it is made, and this one is too large to be shown (${size} characters), so nothing was written: ${place.path}`,
      );
    }
    const consent = await this.parts.questions.ask(
      {
        reason,
        call: {
          title: `${secret ? 'Write' : before === null ? 'Create' : 'Change'} ${this.shown(place)}`,
          kind: 'edit',
          locations: [{ path: place.path }],
          content: [changeContent(place, before, content)],
        },
        // The change that is allowed is the one that we show: what a call of the agent shows may be another one.
        about: null,
        options: [{ optionId: ALLOW, name: 'Allow this change', kind: 'allow_once' }, REJECT],
        refusal: `The person refused to let you change ${place.path}.`,
      },
      signal,
    );
    if (!secret && (await this.present(place, signal)) !== before) {
      const why = `${place.path} was changed while the person was asked. Read it again.`;
      consent.own?.failed(why);
      throw new FileFault('failed', why);
    }
    // What was allowed is the change of this text, not one of what the agent had read before.
    if (before === null) this.known.forget(place);
    else this.known.set(place, before);
    return consent;
  }

  /** The text that is there now, without a note that the agent knows it; `null` if there is no file. */
  private async present(place: Place, signal: AbortSignal): Promise<string | null> {
    const { gate, chatId, texts } = this.parts;
    const all = { line: null, limit: null };
    try {
      return await gate.run(
        chatId,
        async () => (await texts()).read(place, all, new KnownTexts(), signal),
        signal,
      );
    } catch (error) {
      if (error instanceof FileFault && error.kind === 'notFound') return null;
      throw error;
    }
  }

  private async openCallFor(place: Place, use: FileUse): Promise<string | null> {
    const { calls, cwd } = this.parts;
    const open = calls.openCalls().filter((call) => use === 'read' || mayChange(call));
    return (await callNaming(open, place, cwd))?.toolCallId ?? null;
  }

  /** Whatever was written can be seen in the chat: at our own call that asked, at the agent's, or at a new one. */
  private async show(
    place: Place,
    asked: string,
    written: Written,
    consent: Consent | null,
  ): Promise<void> {
    const { before, after } = written;
    const content = [changeContent(place, before, after)];
    if (consent !== null && consent.own !== null) {
      consent.own.update({ status: 'completed', content });
      return;
    }
    if (before === after) return;
    const show = (): void => {
      this.parts.calls.begin({
        title: `${before === null ? 'Created' : 'Changed'} ${this.shown(place)}`,
        kind: 'edit',
        status: 'completed',
        locations: [{ path: place.path }],
        content,
      });
    };
    const { announced, cwd } = this.parts;
    await announced.add({ place, cwd, asked, before, after, show });
  }

  /** For people: from the folder that it is in, where that says enough. */
  private shown({ path: file }: Place): string {
    const folders = [...this.parts.workspace.folders(), ...this.parts.workspace.virtualFolders()];
    const folder = folders.find((each) => file.startsWith(each + path.sep));
    return folder === undefined || folders.length > 1 ? file : path.relative(folder, file);
  }
}

function changeContent(place: Place, before: string | null, after: string): ToolCallContent {
  const size = sizeOf(before, after);
  return size > SHOWN_CHANGE
    ? textContent(`The change is too large to be shown here: ${size} characters.`)
    : { type: 'diff', path: place.path, oldText: before, newText: after };
}

/** Characters of both sides. */
function sizeOf(before: string | null, after: string): number {
  return (before?.length ?? 0) + after.length;
}
