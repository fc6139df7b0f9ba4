import type { Messages } from './translate.ts';

/**
 * Messages as one JSON text, for the way to the browser: the router's encoding takes an object apart value by value,
 * each time, and a text it copies.
 */
export type PackedMessages = string;

const packed = new WeakMap<Messages, PackedMessages>();
/** As many as there are catalogues. */
const unpacked = new Map<PackedMessages, Messages>();

/** Packs what a catalogue has given. */
export function packMessages(messages: Messages): PackedMessages {
  const known = packed.get(messages);
  if (known !== undefined) return known;
  const made = JSON.stringify(messages);
  packed.set(messages, made);
  return made;
}

/** The other way round; the same text gives the same object. */
export function unpackMessages(text: PackedMessages): Messages {
  const known = unpacked.get(text);
  if (known !== undefined) return known;
  const made = JSON.parse(text) as Messages;
  unpacked.set(text, made);
  return made;
}
