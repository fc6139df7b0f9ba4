import { useTranslate } from '../../../translation.tsx';
import { LinkButton } from '../../../ui/controls.tsx';
import { Icon } from '../../../ui/icon.tsx';
import type { Fact } from './introduction.ts';

interface HeroBelowProps {
  facts: readonly Fact[];
  exampleHref: string;
  onExample(): void;
}

/** The content below the empty link box: the site's promises, and a sample link. */
export function HeroBelow({ facts, exampleHref, onExample }: HeroBelowProps) {
  const t = useTranslate();
  return (
    <div className="hero-below" data-keep-clear="text">
      <ul className="facts">
        {facts.map(({ text, href }) => (
          <li key={text}>
            <Icon name="check" />
            {href === null ? text : <a href={href}>{text}</a>}
          </li>
        ))}
      </ul>
      <LinkButton
        strength="quiet"
        href={exampleHref}
        rel="nofollow"
        className="hero-example"
        onClick={(event) => {
          event.preventDefault();
          onExample();
        }}
      >
        {t('link.example')}
      </LinkButton>
    </div>
  );
}
