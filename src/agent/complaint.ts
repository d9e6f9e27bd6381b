/** Something that a person should hear as the answer to their prompt: what went wrong and what to do instead. */
export class Complaint extends Error {
  override readonly name = 'Complaint';
}
