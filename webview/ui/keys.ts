/** True while an input method composes: its keys belong to it (229 is what older engines send meanwhile). */
export function isComposing(event: KeyboardEvent): boolean {
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- the only sign some input methods give
  return event.isComposing || event.keyCode === 229;
}
