import { createElement, type ReactNode, useRef } from 'react';
import { Link } from 'react-router';
import type { RichNode } from '../../content/rich-text/tree.ts';
import { useLazyPictures } from '../browser/lazy-pictures.ts';

type Attributes = Readonly<Record<string, string | number | boolean>>;

/** Links within the site do not load a whole page; files and feeds of ours do. */
const isPage = (href: unknown): href is string =>
  typeof href === 'string' && href.startsWith('/') && !/\.[a-z]+$/.test(href);

function show(node: RichNode, at: number): ReactNode {
  if (typeof node === 'string') return node;
  const [name, attributes, ...children] = node;
  const inside = children.length === 0 ? undefined : children.map(show);
  const { href, ...rest } = attributes as Attributes;
  if (name === 'a' && isPage(href))
    return (
      <Link key={at} to={href} {...rest}>
        {inside}
      </Link>
    );
  return createElement(name, { key: at, ...attributes }, inside);
}

/**
 * A text that the server made safe. It is built of elements; nothing here is set as HTML.
 * @param lang when it is not the page's language; English stands in where a translation is missing
 */
export function RichTextBody({ nodes, lang }: { nodes: readonly RichNode[]; lang?: string | undefined }) {
  const text = useRef<HTMLDivElement>(null);
  useLazyPictures(text);
  return (
    <div ref={text} className="rich-text" lang={lang} dir={lang === undefined ? undefined : 'ltr'}>
      {nodes.map(show)}
    </div>
  );
}
