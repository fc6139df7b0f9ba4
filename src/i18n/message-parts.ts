import compile from 'icu-minify/compile';

/** How a message uses one of its values. */
export type Use = 'text' | 'number' | 'date' | 'select' | 'tag';

/** A plural or selectordinal inside a message. */
interface Plural {
  readonly name: string;
  readonly type: 'cardinal' | 'ordinal';
  readonly categories: readonly string[];
}

/** The parts of a message, apart from its words. */
export interface Parts {
  readonly uses: ReadonlyMap<string, ReadonlySet<Use>>;
  readonly plurals: readonly Plural[];
  /** The choices of each select, by its name. */
  readonly selects: ReadonlyMap<string, readonly string[]>;
  /** The words alone, joined with spaces. */
  readonly words: string;
}

/** Parses an ICU message. @throws SyntaxError of the parser */
export function partsOf(message: string): Parts {
  const uses = new Map<string, Set<Use>>();
  const plurals: Plural[] = [];
  const selects = new Map<string, string[]>();
  const words: string[] = [];
  const use = (name: string, as: Use) => uses.set(name, (uses.get(name) ?? new Set()).add(as));

  // The compiled form: text, 0 for "#", [name], [name, type, options] or, for a tag, [name, ...children].
  const visit = (node: unknown): void => {
    if (typeof node === 'string') words.push(node);
    if (!Array.isArray(node)) return;
    const [name, type, options] = node as [string, unknown, Record<string, unknown> | undefined];
    if (node.length === 1) use(name, 'text');
    else if (typeof type !== 'number' || type === 0) {
      use(name, 'tag');
      node.slice(1).forEach(visit);
    } else if (type === 4) use(name, 'number');
    else if (type === 5 || type === 6) use(name, 'date');
    else {
      const choices = Object.keys(options ?? {});
      use(name, type === 1 ? 'select' : 'number');
      if (type === 1) selects.set(name, choices);
      else plurals.push({ name, type: type === 2 ? 'cardinal' : 'ordinal', categories: choices });
      for (const branch of Object.values(options ?? {}))
        if (Array.isArray(branch)) branch.forEach(visit);
        else visit(branch);
    }
  };
  const compiled = compile(message);
  if (typeof compiled === 'string') words.push(compiled);
  else compiled.forEach(visit);
  return { uses, plurals, selects, words: words.join(' ') };
}
