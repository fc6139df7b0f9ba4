import { partsOf, type Use } from '../../src/i18n/message-parts.ts';

const types: Readonly<Record<Use, string>> = {
  text: 'Text',
  number: 'number',
  date: 'Date',
  select: 'string',
  tag: 'Tag',
};

/** A value with several uses must suit the strictest. */
const strictness: readonly Use[] = ['tag', 'date', 'number', 'select', 'text'];

/**
 * The text of `src/i18n/message-values.ts`: all catalogue pages, and the values of each message that takes any.
 * TypeScript reads the keys from the JSON files itself, but sees their texts only as `string`.
 * @param english the pages of the default language
 */
export function messageValuesFile(english: ReadonlyMap<string, Readonly<Record<string, string>>>): string {
  const pages = [...english].flatMap(([page, messages]) => {
    const lines = Object.entries(messages).flatMap(([key, message]) => {
      const uses = [...partsOf(message).uses];
      if (uses.length === 0) return [];
      const values = uses.map(
        ([name, ways]) => `${property(name)}: ${types[strictness.find((way) => ways.has(way)) ?? 'text']}`,
      );
      return [`    ${property(key)}: { ${values.join('; ')} };`];
    });
    return lines.length === 0 ? [] : [`  ${property(page)}: {\n${lines.join('\n')}\n  };`];
  });
  const files = [...english.keys()].map(
    (page) => `  ${property(page)}: typeof import('./locales/en/${page}.json');`,
  );
  return `// Made by \`npm run check:messages -- --write\` from the English catalogues.

type Text = string | number;

/** Stands for a function that gets what is inside a tag. */
export interface Tag {
  readonly tag: unique symbol;
}

/** The English files, from which the compiler takes the keys. */
export interface Catalogues {
${files.join('\n')}
}

/** The values of each message that takes some, by catalogue page and key. */
export interface MessageValues {
${pages.join('\n')}
}
`;
}

/** In the formatter's form: quoted only when necessary. */
function property(name: string): string {
  return /^[a-z_$][\w$]*$/i.test(name) ? name : `'${name}'`;
}
