import type {
  ReadTextFileRequest,
  ReadTextFileResponse,
  WriteTextFileRequest,
  WriteTextFileResponse,
} from '../../protocol/acp.ts';
import type { Workspace, WorkspaceFiles } from '../ports.ts';

/** Answers an agent's `fs/read_text_file` and `fs/write_text_file`, inside the workspace folders and nowhere else. */
export class FileHandler {
  constructor(
    readonly files: WorkspaceFiles,
    readonly workspace: Workspace,
  ) {}

  read(_params: ReadTextFileRequest, _signal: AbortSignal): Promise<ReadTextFileResponse> {
    return Promise.reject(new Error('not yet'));
  }

  write(_params: WriteTextFileRequest, _signal: AbortSignal): Promise<WriteTextFileResponse> {
    return Promise.reject(new Error('not yet'));
  }
}
