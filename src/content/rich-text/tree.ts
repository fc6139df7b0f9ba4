import type { ElementContent, Root } from 'hast';

/**
 * A piece of a text as a browser gets it: text, or an element as `[name, attributes, ...children]` with attributes
 * named as React names them. Short, and nothing in it can be taken for HTML.
 */
export type RichNode =
  | string
  | readonly [name: string, attributes: Readonly<Record<string, string | number | boolean>>, ...RichNode[]];

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
