import type { CompiledMessage } from 'icu-minify/format';
import type { Locale } from './languages.ts';
import type { Messages } from './translate.ts';

/**
 * Pseudo-locales for checking layouts before translations exist: accented English, a third longer, in place of English
 * (known as en-XA), and right-to-left English in place of Arabic (ar-XB).
 * @param english compiled
 * @returns null for every other language
 */
export function pseudoMessages(english: Messages, locale: Locale): Messages | null {
  const change = changes[locale];
  if (change === undefined) return null;
  return Object.fromEntries(
    Object.entries(english).map(([key, message]) => [key, changeMessage(message, change)]),
  );
}

const plain = 'abcdefghijklmnopqrstuvwxyzAEIOUCDNSY';
const accented = 'áƀçðéƒĝĥîĵķļɱñöþǫŕšţûṽŵẋýžÅÉÎÖÛÇÐÑŠÝ';

const changes: Partial<Record<Locale, (text: string) => string>> = {
  // Vowels twice: about the length that the wordiest languages need.
  en: (text) =>
    text.replace(
      /[a-zA-Z]/g,
      (letter) => (accented[plain.indexOf(letter)] ?? letter) + (/[aeiou]/.test(letter) ? letter : ''),
    ),
  // Right-to-left override around each word (UAX #9): reads backwards, wraps as Arabic does.
  ar: (text) => text.replace(/\S+/g, '\u202e$&\u202c'),
};

/**
 * Changes the words of a compiled message and keeps names: a node is `[name]`, `[name, type, options]` or, for a tag,
 * `[name, ...children]`.
 */
function changeMessage(message: CompiledMessage, change: (text: string) => string): CompiledMessage {
  return typeof message === 'string'
    ? change(message)
    : (message.map((node) => changeNode(node, change)) as CompiledMessage);
}

function changeNode(node: unknown, change: (text: string) => string): unknown {
  if (typeof node === 'string') return change(node);
  if (!Array.isArray(node) || node.length === 1) return node;
  const [name, type, options] = node as [string, unknown, unknown];
  if (typeof type !== 'number' || type === 0)
    return [name, ...node.slice(1).map((child) => changeNode(child, change))];
  if (typeof options !== 'object' || options === null || ![1, 2, 3].includes(type)) return node;
  const changed = Object.entries(options).map(([choice, branch]) => [
    choice,
    Array.isArray(branch) ? branch.map((child) => changeNode(child, change)) : changeNode(branch, change),
  ]);
  return [name, type, Object.assign(Object.create(null), Object.fromEntries(changed))];
}
