/** Why a scene or a recording cannot be played, or not any further: a sentence for who wrote it. */
export class SceneFault extends Error {
  override readonly name = 'SceneFault';
}
