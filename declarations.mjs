/**
 * Writes the declarations of a library as one file that needs no other: those of our own sources and those of the
 * packages that they use. What belongs to Node or to the language stays a name.
 */
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const OPTIONS = {
  target: ts.ScriptTarget.ES2023,
  module: ts.ModuleKind.Preserve,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  allowImportingTsExtensions: true,
  exactOptionalPropertyTypes: true,
  strict: true,
  noEmit: true,
  // Names of the language and of Node are not looked up: that would take most of the time.
  noLib: true,
  types: [],
};

/**
 * @param {string} entry The source whose exports are the library.
 * @returns {{ text: string, sources: readonly string[] }} The declarations, and the files from which they come.
 */
export function bundleDeclarations(entry) {
  /** @type {string[]} */
  const faults = [];
  const program = ts.createProgram([entry], OPTIONS, declaringHost(faults));
  if (faults.length > 0) throw new Error(faults.join('\n'));
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(entry);
  const library = source && checker.getSymbolAtLocation(source);
  if (!library) throw new Error(`${entry} is no module`);
  const found = new Collector(checker);
  for (const symbol of checker.getExportsOfModule(library)) found.add(symbol);
  const text = [
    '/* Made from the sources of the library, and from the protocol of @agentclientprotocol/sdk (Apache-2.0). */',
    ...[...found.imports].sort(),
    ...found.declarations,
    'export {};',
  ].join('\n');
  const sources = program.getSourceFiles().map(({ fileName }) => fileName);
  return { text: `${text}\n`, sources };
}

/**
 * Our own sources are read as their declarations, so that nothing is inferred and no code is left.
 *
 * @param {string[]} faults Gets what cannot be declared: the compiler would hide what is thrown here.
 */
function declaringHost(faults) {
  const host = ts.createCompilerHost(OPTIONS);
  const { readFile } = host;
  host.readFile = (fileName) => {
    const text = readFile(fileName);
    const isSource = !fileName.includes('node_modules') && !fileName.endsWith('.d.ts');
    if (text === undefined || !isSource || !fileName.endsWith('.ts')) return text;
    const made = ts.transpileDeclaration(text, {
      fileName,
      compilerOptions: OPTIONS,
      reportDiagnostics: true,
    });
    for (const { messageText } of made.diagnostics ?? []) {
      faults.push(`${fileName}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`);
    }
    return made.outputText;
  };
  return host;
}

/** Everything that the library's exports name, each once, in the order in which it was met. */
class Collector {
  /** @type {Set<string>} */
  imports = new Set();
  /** @type {string[]} */
  declarations = [];
  /** @type {Map<string, ts.Symbol>} */
  names = new Map();

  /** @param {ts.TypeChecker} checker */
  constructor(checker) {
    this.checker = checker;
  }

  /** @param {ts.Symbol} symbol */
  add(symbol) {
    const isAlias = (symbol.flags & ts.SymbolFlags.Alias) !== 0;
    const real = isAlias ? this.checker.getAliasedSymbol(symbol) : symbol;
    const declarations = (real.declarations ?? []).map(declarationOf);
    if (declarations.length === 0) {
      this.addImport(symbol);
      return;
    }
    const known = this.names.get(real.name);
    if (known === real) return;
    if (known) throw new Error(`two declarations are called ${real.name}`);
    this.names.set(real.name, real);
    for (const node of declarations) {
      // A value of the same name, such as a guard beside its type, is no part of what a library says of itself.
      if (node === undefined) continue;
      this.declarations.push(textOf(node));
      this.addReferences(node);
    }
  }

  /** @param {ts.Symbol} symbol A name that is imported from a module that was not looked up. */
  addImport(symbol) {
    const [declaration] = symbol.declarations ?? [];
    const isGlobal = declaration === undefined;
    if (isGlobal) return;
    if (!ts.isImportSpecifier(declaration)) throw new Error(`${symbol.name} is nowhere declared`);
    const from = declaration.parent.parent.parent.moduleSpecifier.getText();
    if (!from.slice(1).startsWith('node:')) throw new Error(`${symbol.name} of ${from} is missing`);
    this.imports.add(`import type { ${symbol.name} } from ${from};`);
  }

  /** @param {ts.Node} node */
  addReferences(node) {
    ts.forEachChild(node, (child) => {
      if (ts.isImportTypeNode(child)) throw new Error(`cannot follow ${child.getText()}`);
      const isName = ts.isIdentifier(child) && this.isReference(child);
      const symbol = isName ? this.checker.getSymbolAtLocation(child) : undefined;
      if (symbol && (symbol.flags & ts.SymbolFlags.TypeParameter) === 0) this.add(symbol);
      this.addReferences(child);
    });
  }

  /** @param {ts.Identifier} name */
  isReference({ parent }) {
    return (
      ts.isTypeReferenceNode(parent) ||
      ts.isExpressionWithTypeArguments(parent) ||
      ts.isTypeQueryNode(parent)
    );
  }
}

/**
 * @param {ts.Declaration} declaration
 * @returns {ts.Node | undefined} What stands by itself in a file, if it does.
 */
function declarationOf(declaration) {
  const isWhole =
    ts.isInterfaceDeclaration(declaration) ||
    ts.isTypeAliasDeclaration(declaration) ||
    ts.isClassDeclaration(declaration) ||
    ts.isFunctionDeclaration(declaration);
  return isWhole ? declaration : undefined;
}

/** @param {ts.Node} node */
function textOf(node) {
  return node.getSourceFile().text.slice(node.getStart(undefined, true), node.end);
}

/**
 * Writes the declarations beside a bundle, unless they are newer than everything that they come from.
 *
 * @param {string} entry
 * @param {string} outfile
 * @returns {import('esbuild').Plugin}
 */
export function declarationsOf(entry, outfile) {
  const memory = path.join(path.dirname(outfile), 'tsbuild', `${path.basename(outfile)}.json`);
  return {
    name: 'declarations',
    setup(build) {
      build.onEnd(({ errors }) => {
        if (errors.length > 0 || isFresh(outfile, memory)) return;
        const { text, sources } = bundleDeclarations(path.resolve(entry));
        fs.mkdirSync(path.dirname(memory), { recursive: true });
        fs.writeFileSync(outfile, text);
        fs.writeFileSync(memory, JSON.stringify(sources));
      });
    },
  };
}

/**
 * @param {string} outfile
 * @param {string} memory Where it was noted what the file was made from.
 */
function isFresh(outfile, memory) {
  try {
    const written = fs.statSync(outfile).mtimeMs;
    const sources = JSON.parse(fs.readFileSync(memory, 'utf8'));
    const files = [fileURLToPath(import.meta.url), ...sources];
    return files.every((file) => fs.statSync(file).mtimeMs < written);
  } catch {
    return false;
  }
}
