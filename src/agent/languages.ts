/** Words that only one language has, and what is said in it. Two of them tell it. */
const LANGUAGES: readonly (readonly [words: RegExp, said: string])[] = [
  [
    /(?<!\p{L})(?:ich|nicht|und|der|das|ist|wie|kannst|bitte|mir|mich|eine?n?|warum|wo|für|datei|du|zeig|erkläre?|schreibe?)(?!\p{L})/giu,
    'Ich verstehe leider nur Englisch, denn in mir steckt kein Sprachmodell.',
  ],
  [
    /(?<!\p{L})(?:le|les|est|que|quoi|peux|tu|vous|comment|pourquoi|où|une?|fichier|moi|dans|cette?|explique[rz]?|bonjour|je|du|montre)(?!\p{L})/giu,
    'Désolé, je ne comprends que l’anglais : il n’y a pas de modèle de langage en moi.',
  ],
];

/** Says in the language of a sentence that only English is understood; undefined where it seems to be English. */
export function apology(sentence: string): string | undefined {
  const scores = LANGUAGES.map(
    ([words]) => new Set(Array.from(sentence.matchAll(words), ([word]) => word.toLowerCase())).size,
  );
  const best = Math.max(...scores);
  return best < 2 ? undefined : LANGUAGES[scores.indexOf(best)]?.[1];
}
