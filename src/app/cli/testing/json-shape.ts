/** The form of a JSON value, as `docs/commands.md` writes it: `{ name, of?, rows: [{ id }] }`. */
export type Shape =
  | { readonly kind: 'value' }
  | { readonly kind: 'list'; readonly of: Shape }
  | { readonly kind: 'object'; readonly fields: ReadonlyMap<string, Field> };

interface Field {
  readonly isOptional: boolean;
  readonly shape: Shape;
}

/** Reads a form. @throws Error when it is none */
export function parseShape(text: string): Shape {
  const words = text.match(/[{}[\],:]|[\w?]+/g) ?? [];
  let at = 0;
  const take = (word: string) => {
    if (words[at] !== word) throw new Error(`"${text}" has no "${word}" at word ${at + 1}`);
    at += 1;
  };
  function object(): Shape {
    const fields = new Map<string, Field>();
    for (take('{'); words[at] !== '}'; ) {
      const name = words[at++] ?? '';
      let shape: Shape = { kind: 'value' };
      if (words[at] === ':') {
        at += 1;
        shape = value();
      }
      fields.set(name.replace('?', ''), { isOptional: name.endsWith('?'), shape });
      if (words[at] !== '}') take(',');
    }
    take('}');
    return { kind: 'object', fields };
  }
  function value(): Shape {
    if (words[at] === '{') return object();
    if (words[at] !== '[') {
      at += 1;
      return { kind: 'value' };
    }
    take('[');
    const of = value();
    take(']');
    return { kind: 'list', of };
  }
  const shape = value();
  if (at !== words.length) throw new Error(`"${text}" goes on after its end`);
  return shape;
}

/**
 * Compares values that a command printed with the form that is documented.
 * @returns one line for each field that is missing, that is not documented, or that no value has shown
 */
export function differences(shape: Shape, values: readonly unknown[], place = ''): string[] {
  if (shape.kind === 'value') return [];
  if (shape.kind === 'list') {
    const wrong = values.filter((one) => !Array.isArray(one)).map(() => `${place} is no list`);
    return wrong.length > 0 ? wrong : differences(shape.of, values.flat(), `${place}[]`);
  }
  if (values.some((one) => typeof one !== 'object' || one === null || Array.isArray(one)))
    return [`${place} is no object`];
  const objects = values as readonly Record<string, unknown>[];
  const unknown = new Set(
    objects.flatMap((one) => Object.keys(one)).filter((name) => !shape.fields.has(name)),
  );
  const known = [...shape.fields].flatMap(([name, { isOptional, shape: inner }]) => {
    const having = objects.filter((one) => name in one);
    if (!isOptional && objects.length === 0) return [`${place}.${name} was not seen`];
    if (!isOptional && having.length < objects.length) return [`${place}.${name} is missing`];
    if (having.length === 0) return [];
    return differences(
      inner,
      having.map((one) => one[name]),
      `${place}.${name}`,
    );
  });
  return [...[...unknown].map((name) => `${place}.${name} is not documented`), ...known];
}
