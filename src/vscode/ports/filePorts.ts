/** The adapters that only files need, together: they are loaded with the first file that an agent reads or writes. */
export { EditorDocuments } from './documents.ts';
export { EditorCodec } from './textCodec.ts';
export { EditorVirtualFiles } from './virtualFiles.ts';
export { EditorWriteConflicts } from './writeConflicts.ts';
