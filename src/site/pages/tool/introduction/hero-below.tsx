import { exportTypes } from '../../../browser/device/export-types.ts';
import { useMounted } from '../../../browser/mounted.ts';
import { onPlainClick } from '../../../browser/plain-click.ts';
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
  /** Called with files that were chosen. */
  onFiles(files: readonly File[]): void;
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

/** Opens an export for the page that saves many posts; without scripts it leads there. */
function ExportPicker({ onFiles }: Pick<HeroBelowProps, 'onFiles'>) {
  const t = useTranslate();
  const { manyPostsPath } = useDocument();
  const isMounted = useMounted();
  if (manyPostsPath === null) return null;
  if (!isMounted)
    return (
      <LinkButton strength="quiet" href={manyPostsPath} className="hero-example">
        {t('link.export')}
      </LinkButton>
    );
  return (
    <label className="button button-quiet hero-example">
      <span>{t('link.export')}</span>
      <input
        type="file"
        multiple
        accept={exportTypes}
        onChange={({ currentTarget }) => {
          const files = [...(currentTarget.files ?? [])];
          if (files.length > 0) onFiles(files);
        }}
      />
    </label>
  );
}

/** The content below the empty link box: the site's promises, the shorter way, a sample link, and a way in for files. */
export function HeroBelow({ facts, path, example, onExample, onFiles }: HeroBelowProps) {
  const t = useTranslate();
  return (
    <div className="hero-below" data-keep-clear="text">
      <ul className="facts">
        {facts.map(({ text, href }) => (
          <li key={text}>{href === null ? text : <a href={href}>{text}</a>}</li>
        ))}
      </ul>
      <Quicker />
      <div className="hero-others">
        {example !== null && (
          <LinkButton
            strength="quiet"
            href={`${path}?url=${encodeURIComponent(example)}`}
            rel="nofollow"
            className="hero-example"
            onClick={onPlainClick(() => onExample(example))}
          >
            {t('link.example')}
          </LinkButton>
        )}
        <ExportPicker onFiles={onFiles} />
      </div>
    </div>
  );
}
