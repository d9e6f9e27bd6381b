/** What host and page must say in the same words: what a permission is about, and what text may hide. */
export { commandOf, subjectOf } from '../thread/subject.ts';
export { UNSEEN } from '../thread/unseen.ts';
