import type { Element, ElementContent, Root } from 'hast';
import { visit } from 'unist-util-visit';

/** Renders the boxes of task lists as characters, since a control without effect would be confusing. */
export function writeTaskBoxes(tree: Root): void {
  visit(tree, 'element', (element, index, parent) => {
    const { type, checked } = element.properties;
    if (element.tagName !== 'input' || type !== 'checkbox') return;
    if (parent === undefined || index === undefined) return;
    parent.children[index] = { type: 'text', value: checked === true ? '☑' : '☐' };
  });
}

const isScroller = (element: { tagName?: string; properties?: Element['properties'] }): boolean => {
  const classes = element.properties?.className;
  return element.tagName === 'div' && Array.isArray(classes) && classes.includes('table-scroll');
};

/** A table that is too wide scrolls by itself, also by keyboard, instead of widening the page. */
export function scrollTables(tree: Root): void {
  visit(tree, 'element', (element, index, parent) => {
    if (element.tagName !== 'table' || parent === undefined || index === undefined) return;
    if (isScroller(parent as Element)) return;
    const scroller: Element = {
      type: 'element',
      tagName: 'div',
      properties: { className: ['table-scroll'], tabIndex: 0 },
      children: [element],
    };
    (parent.children as ElementContent[])[index] = scroller;
    return index + 1;
  });
}
