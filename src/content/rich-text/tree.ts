import type { Element, ElementContent, Root } from 'hast';

/**
 * A node of a text in its serialised form: text, or an element as `[name, attributes, ...children]` with React's
 * attribute names. It is short and cannot be mistaken for HTML.
 */
export type RichNode =
  | string
  | readonly [name: string, attributes: Readonly<Record<string, string | number | boolean>>, ...RichNode[]];

/** Makes an element. */
export const elementOf = (
  tagName: string,
  properties: Element['properties'],
  ...children: ElementContent[]
): Element => ({ type: 'element', tagName, properties, children });

function toRichNode(node: ElementContent): RichNode[] {
  if (node.type === 'text') return [node.value];
  if (node.type !== 'element') return [];
  const attributes: Record<string, string | number | boolean> = {};
  for (const [name, value] of Object.entries(node.properties)) {
    if (value === null || value === undefined) continue;
    attributes[name] = Array.isArray(value) ? value.join(' ') : value;
  }
  return [[node.tagName, attributes, ...node.children.flatMap(toRichNode)]];
}

/** A sanitized tree without what only a parser needs. */
export function toRichNodes(tree: Root): RichNode[] {
  return tree.children.flatMap((node) => (node.type === 'doctype' ? [] : toRichNode(node)));
}
