import type { Heading } from '../../content/rich-text/headings.ts';

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
