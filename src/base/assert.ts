/**
 * Lets the compiler list the variants that a `switch` forgot, without failing at run time: what comes from an agent
 * may be newer than we are.
 */
export function softAssertNever(value: never, report: (message: string) => void): void {
  report(`unexpected variant: ${JSON.stringify(value)}`);
}
