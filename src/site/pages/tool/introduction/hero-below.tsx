import { useDocument } from '../../../document/document-context.tsx';
import { useTranslate } from '../../../translation.tsx';
import { LinkButton } from '../../../ui/controls.tsx';
import type { Fact } from './introduction.ts';

interface HeroBelowProps {
  facts: readonly Fact[];
  /** The page without a link. */
  path: string;
  /** A link to try; null for none. */
  example: string | null;
  onExample(url: string): void;
}

/** Says that a post's address may be typed behind this site's name. */
export function Quicker() {
  const t = useTranslate();
  const { host } = new URL(useDocument().origin);
  const [before, after] = t('link.quicker', { domain: '\n' }).split('\n');
  return (
    <p className="quicker">
      {before}
      <bdi>{host}/</bdi>
      {after?.slice(1)}
    </p>
  );
}

/** The content below the empty link box: the site's promises, the shorter way, and a sample link. */
export function HeroBelow({ facts, path, example, onExample }: HeroBelowProps) {
  const t = useTranslate();
  return (
    <div className="hero-below" data-keep-clear="text">
      <ul className="facts">
        {facts.map(({ text, href }) => (
          <li key={text}>{href === null ? text : <a href={href}>{text}</a>}</li>
        ))}
      </ul>
      <Quicker />
      {example !== null && (
        <LinkButton
          strength="quiet"
          href={`${path}?url=${encodeURIComponent(example)}`}
          rel="nofollow"
          className="hero-example"
          onClick={(event) => {
            event.preventDefault();
            onExample(example);
          }}
        >
          {t('link.example')}
        </LinkButton>
      )}
    </div>
  );
}
