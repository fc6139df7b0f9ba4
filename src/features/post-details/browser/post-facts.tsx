import { languages } from '../../../i18n/languages.ts';
import type { ResultPartProps } from '../../../site/pages/tool/result/result-parts.tsx';
import { useLocale, useTranslate } from '../../../site/translation.tsx';
import { VisuallyHidden } from '../../../site/ui/controls.tsx';
import { Icon, type IconName } from '../../../site/ui/icon.tsx';

const dateParts = { year: 'numeric', month: 'short', day: 'numeric', timeZone: 'UTC' } as const;

/** When the post was published, and how often it was played and liked. */
export function PostFacts({ result: { post } }: ResultPartProps) {
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
