import type {
  ReadTextFileRequest,
  ReadTextFileResponse,
  WriteTextFileRequest,
  WriteTextFileResponse,
} from '../../protocol/acp.ts';
import { Cancelled, messageOf } from '../../base/errors.ts';
import { ErrorCode, RequestError } from '../../protocol/errors.ts';
import { FileFault, type Log, type Workspace, type WorkspaceFiles } from '../ports.ts';
import { platformOf } from './paths.ts';
import { insideFolders } from './walls.ts';

/**
 * Answers an agent's `fs/read_text_file` and `fs/write_text_file`, inside the workspace folders and nowhere else. What
 * goes wrong is a `RequestError` with a sentence that the agent's model can act on.
 */
export class FileHandler {
  constructor(
    private readonly files: WorkspaceFiles,
    private readonly workspace: Workspace,
    private readonly log: Log,
  ) {}

  async read(params: ReadTextFileRequest, signal: AbortSignal): Promise<ReadTextFileResponse> {
    return this.answered(params.path, async () => {
      const path = await this.inside(params.path);
      // Lines count from 1; the schema lets 0 pass, and agents that send it mean the beginning.
      const line = params.line ?? null;
      const range = { line: line === 0 ? null : line, limit: params.limit ?? null };
      return { content: await this.files.read(path, range, signal) };
    });
  }

  async write(params: WriteTextFileRequest, signal: AbortSignal): Promise<WriteTextFileResponse> {
    return this.answered(params.path, async () => {
      if (!this.workspace.trusted()) {
        throw new FileFault(
          'refused',
          'Files cannot be written: the person has not trusted this workspace.',
        );
      }
      await this.files.write(await this.inside(params.path), params.content, signal);
      return {};
    });
  }

  private inside(path: string): Promise<string> {
    return insideFolders(path, this.workspace.folders(), platformOf(process.platform));
  }

  private async answered<T>(path: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw this.inWords(error, path);
    }
  }

  private inWords(error: unknown, path: string): Error {
    if (error instanceof Cancelled || isAbort(error)) {
      return new RequestError(ErrorCode.cancelled, 'Request cancelled');
    }
    if (!(error instanceof FileFault)) {
      this.log.error(`A file request failed: ${messageOf(error)}`);
      return new RequestError(
        ErrorCode.internal,
        `The file could not be used: ${messageOf(error)}`,
      );
    }
    switch (error.kind) {
      case 'notFound':
        return new RequestError(ErrorCode.notFound, `Resource not found: ${path}`);
      case 'refused':
        return new RequestError(ErrorCode.invalidParams, error.message);
      case 'failed':
        return new RequestError(ErrorCode.internal, error.message);
    }
  }
}

function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError';
}
