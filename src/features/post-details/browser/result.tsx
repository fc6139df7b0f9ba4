import { Suspense, useEffect, useState } from 'react';
import { languages } from '../../../i18n/languages.ts';
import { whenIdle } from '../../../site/browser/later-work.ts';
import { useMounted } from '../../../site/browser/mounted.ts';
import { lazyPart } from '../../../site/browser/navigation/lazy-part.tsx';
import type { ResultPart, ResultPartProps } from '../../../site/pages/tool/result/result-parts.tsx';
import { ResultFold } from '../../../site/pages/tool/result/result-rows.tsx';
import { useLocale, useTranslate } from '../../../site/translation.tsx';
import { VisuallyHidden } from '../../../site/ui/controls.tsx';
import { Icon, type IconName } from '../../../site/ui/icon.tsx';
import './styles.css';

const dateParts = { year: 'numeric', month: 'short', day: 'numeric', timeZone: 'UTC' } as const;

/** When the post was published, and how often it was played and liked. */
function PostFacts({ result: { post } }: ResultPartProps) {
  const t = useTranslate<'post-details'>();
  const locale = useLocale();
  const { intl } = languages[locale];
  const { created_at: created, stats } = post;
  const number = (icon: IconName, name: string, count: number | null | undefined) =>
    count != null && (
      <span>
        <Icon name={icon} />
        <VisuallyHidden>{name} </VisuallyHidden>
        {/* Browsers write some dates and numbers in another way than the server. */}
        <span suppressHydrationWarning>
          {new Intl.NumberFormat(intl, { notation: 'compact', maximumFractionDigits: 1 }).format(count)}
        </span>
      </span>
    );
  return (
    <p className="post-facts">
      {created !== null && (
        <time dateTime={created} suppressHydrationWarning>
          {new Intl.DateTimeFormat(intl, dateParts).format(new Date(created))}
        </time>
      )}
      <span className="post-numbers">
        {number('play', t('details.plays-count'), stats?.plays)}
        {number('heart', t('details.likes-count'), stats?.likes)}
      </span>
    </p>
  );
}

const load = async () => (await import('./content.tsx')).Content;

const content = lazyPart('details', load, import.meta.env.SSR ? await load() : null);

/** A disclosure with further files and facts of a post; native, and open in the server's document. */
function PostDetails({ result, onAnnounce }: ResultPartProps) {
  const t = useTranslate<'post-details'>();
  const isMounted = useMounted();
  const [isOfDocument] = useState(!isMounted);
  // Its content is there when the disclosure is opened: what is below moves at once, or not at all.
  useEffect(() => whenIdle(content.preload), []);
  return (
    <ResultFold className="post-details" icon="clipboard" title={t('details.title')}>
      {(isWanted) => (
        <div className="details-body">
          <Suspense>
            {(isWanted || isOfDocument) && <content.Part result={result} onAnnounce={onAnnounce} />}
          </Suspense>
        </div>
      )}
    </ResultFold>
  );
}

export default [
  { place: 'about', order: 10, catalogue: 'post-details', Part: PostFacts },
  { place: 'more', order: 40, catalogue: 'post-details', Part: PostDetails },
] satisfies ResultPart[];
