/** Whether two JSON values are the same. The order of an object's fields does not matter. */
export function equalJson(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) || Array.isArray(b)) {
    if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false;
    return a.every((value, index) => equalJson(value, b[index]));
  }
  const fields = Object.entries(a);
  const others = new Map<string, unknown>(Object.entries(b));
  return (
    fields.length === others.size &&
    fields.every(([name, value]) => others.has(name) && equalJson(value, others.get(name)))
  );
}

/** The old value if the new one says the same, so that whoever compares by identity sees that nothing changed. */
export function kept<T>(old: T, next: T): T {
  return equalJson(old, next) ? old : next;
}
