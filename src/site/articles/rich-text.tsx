import { createElement, type ReactNode, type RefObject, useEffect, useRef } from 'react';
import { Link } from 'react-router';
import type { Heading } from '../../content/rich-text/headings.ts';
import type { RichNode } from '../../content/rich-text/tree.ts';
import { LinkForm } from '../layout/link-form.tsx';

/** A table of contents; renders nothing for a text with few headings. */
export function Contents(props: { title: string; headings: readonly Heading[]; lang?: string | undefined }) {
  const { title, headings, lang } = props;
  if (headings.length < 3) return null;
  return (
    <nav className="contents" aria-labelledby="contents-title">
      <h2 id="contents-title">{title}</h2>
      <ol lang={lang} dir={lang === undefined ? undefined : 'ltr'}>
        {headings.map(({ id, text, level }) => (
          <li key={id} className={level === 3 ? 'contents-below' : undefined}>
            <a href={`#${id}`}>{text}</a>
          </li>
        ))}
      </ol>
    </nav>
  );
}

/** Retries of a picture that failed to load. */
const attempts = 1;

type PictureState = 'loading' | 'loaded' | 'error';

/**
 * Tracks the lazily loaded pictures of a text: `data-state` shows the state of each, and a failed one is requested once
 * more.
 */
function useLazyPictures(text: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const listening = new AbortController();
    const { signal } = listening;
    for (const picture of text.current?.querySelectorAll('img') ?? []) {
      let left = attempts;
      const become = (state: PictureState) => {
        picture.dataset.state = state;
      };
      const fail = () => {
        if (left === 0) return become('error');
        left -= 1;
        become('loading');
        // The same address again is a new request.
        picture.src = picture.getAttribute('src') ?? '';
      };
      picture.addEventListener('load', () => become('loaded'), { signal });
      picture.addEventListener('error', fail, { signal });
      if (!picture.complete) become('loading');
      else if (picture.naturalWidth > 0) become('loaded');
      // It failed before the page's scripts ran; a distant lazy picture is `complete` without a `currentSrc`.
      else if (picture.currentSrc !== '') fail();
    }
    return () => listening.abort();
  }, [text]);
}

type Attributes = Readonly<Record<string, string | number | boolean>>;

/** Whether a link leads to a page of the site, which needs no new document. Files and feeds do. */
const isPage = (href: unknown): href is string =>
  typeof href === 'string' && href.startsWith('/') && !/\.[a-z]+$/.test(href);

/** The target of a paragraph that consists of a single link; null for any other. */
function soleLinkOf(node: RichNode): string | null {
  if (typeof node === 'string' || node[0] !== 'p' || node.length !== 3) return null;
  const child = node[2];
  if (child === undefined || typeof child === 'string' || child[0] !== 'a') return null;
  const { href } = child[1] as Attributes;
  return typeof href === 'string' ? href : null;
}

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

interface RichTextProps {
  nodes: readonly RichNode[];
  /** The text's language, when it differs from the page's; English replaces a missing translation. */
  lang?: string | undefined;
  /** Paths of the downloader pages: a paragraph that consists of a link to one of them becomes its link box. */
  boxes?: readonly string[];
}

/** A text that the server has sanitised. It is built from elements; no HTML is set here. */
export function RichTextBody({ nodes, lang, boxes = [] }: RichTextProps) {
  const text = useRef<HTMLDivElement>(null);
  useLazyPictures(text);
  const showBlock = (node: RichNode, at: number) => {
    const box = soleLinkOf(node);
    if (box === null || !boxes.includes(box)) return show(node, at);
    return (
      <div key={at} className="text-link-box">
        {show(node, 0)}
        <LinkForm action={box} />
      </div>
    );
  };
  return (
    <div ref={text} className="rich-text" lang={lang} dir={lang === undefined ? undefined : 'ltr'}>
      {nodes.map(showBlock)}
    </div>
  );
}
