import type { ReactNode } from 'react';
import type { DownloadOption, ResolveResult } from '../../../site/api.ts';
import { useCountdown } from '../../../site/browser/countdown.ts';
import { inLanguage } from '../../../site/browser/downloads/file-requests.ts';
import { useMounted } from '../../../site/browser/mounted.ts';
import { onPlainClick } from '../../../site/browser/plain-click.ts';
import type { DownloadButton } from '../../../site/configuration/configuration.ts';
import { chooseOptions, lacksHd } from '../../../site/pages/tool/files/choose-options.ts';
import { DownloadState, useDownload } from '../../../site/pages/tool/files/download-state.tsx';
import { formatLength } from '../../../site/pages/tool/files/sizes.ts';
import { remedyFor } from '../../../site/pages/tool/link-box/remedy.ts';
import { useLocale, useTranslate } from '../../../site/translation.tsx';
import { Button, LinkButton, VisuallyHidden } from '../../../site/ui/controls.tsx';
import { Icon } from '../../../site/ui/icon.tsx';
import { Skeleton } from '../../../site/ui/surfaces.tsx';
import type { Row } from './use-rows.ts';

interface ListRowProps {
  row: Row;
  /** The page's own path. */
  action: string;
  buttons: readonly DownloadButton[];
  onRetry(): void;
  /** Takes the link off the list. */
  onRemove(): void;
  onAnnounce(text: string): void;
}

/** What is in a row has besides: the page of the single post, with all its files. */
type InRow = Omit<ListRowProps, 'row' | 'action'> & { href: string };

/** One link of the list: its result, or its failure. */
export function ListRow({ row, action, ...rest }: ListRowProps) {
  const href = `${action}?url=${encodeURIComponent(row.link)}`;
  return (
    <li className="list-row" aria-busy={row.state === 'reading' || undefined}>
      {row.state === 'ready' && <Found result={row.result} href={href} {...rest} />}
      {row.state === 'failed' && <Failed row={row} href={href} {...rest} />}
      {(row.state === 'waiting' || row.state === 'reading') && <Coming row={row} href={href} />}
    </li>
  );
}

const shortened = (link: string) => link.replace(/^https:\/\/(?:www\.)?/, '');

function Coming({ row, href }: { row: Row; href: string }) {
  const t = useTranslate();
  return (
    <>
      <Skeleton className="list-cover" />
      <p className="list-about">
        <a className="list-name" href={href} rel="nofollow">
          <bdi className="author-text">{shortened(row.link)}</bdi>
        </a>
        <span className="list-facts">{row.state === 'reading' && t('status.resolving')}</span>
      </p>
    </>
  );
}

function Failed(props: InRow & { row: Extract<Row, { state: 'failed' }> }) {
  const { href, onRetry, onRemove } = props;
  const { link, failure } = props.row;
  const t = useTranslate();
  const counted = useCountdown(failure.retryAt);
  // Without scripts there is no countdown: the link is usable at once.
  const seconds = useMounted() ? counted : 0;
  const remedy = remedyFor(failure.key);
  return (
    <>
      <span className="list-cover list-cover-failed">
        <Icon name="warning" />
      </span>
      <p className="list-about">
        <a className="list-name" href={href} rel="nofollow">
          <bdi className="author-text">{shortened(link)}</bdi>
        </a>
        <span className="list-failure">{failure.message}</span>
        {seconds > 0 && <span className="list-facts">{t('failure.retry-in', { seconds })}</span>}
      </p>
      {remedy === 'retry' && seconds === 0 && (
        <LinkButton
          strength="plain"
          href={href}
          rel="nofollow"
          className="list-action"
          onClick={onPlainClick(onRetry)}
        >
          {t('failure.retry')}
        </LinkButton>
      )}
      {remedy === 'elsewhere' && (
        <LinkButton
          strength="plain"
          href={link}
          target="_blank"
          rel="noopener noreferrer nofollow"
          className="list-action"
        >
          {t('failure.elsewhere')}
        </LinkButton>
      )}
      <RowMenu title={shortened(link)} onRemove={onRemove} />
    </>
  );
}

function Found({ result, href, buttons, onRemove, onAnnounce }: InRow & { result: ResolveResult }) {
  const t = useTranslate();
  const locale = useLocale();
  const { post, options } = result;
  const { files, zip } = chooseOptions(options, buttons);
  const option = post.kind === 'photos' ? (zip ?? files[0]) : files[0];
  // The page's own formats first; whoever came for videos may want one sound, too.
  const others = [...files, ...options.filter(({ id }) => id === 'mp4' || id === 'mp3')].filter(
    (other, at, all) => other !== option && all.findIndex(({ id }) => id === other.id) === at,
  );
  const title = post.title || post.author.name || post.author.handle;
  return (
    <>
      <span className="list-cover">
        {post.cover_url === null ? (
          <Icon name={post.kind === 'photos' ? 'images' : 'film'} />
        ) : (
          <img src={post.cover_url} alt="" width={48} height={64} decoding="async" loading="lazy" />
        )}
      </span>
      <p className="list-about">
        <a className="list-name" href={href} rel="nofollow">
          <bdi className="author-text">{title}</bdi>
        </a>
        <span className="list-facts">
          {post.author.handle !== '' && <bdi>@{post.author.handle}</bdi>}
          {post.duration_s > 0 && <span>{formatLength(post.duration_s, locale)}</span>}
          {option?.may_have_watermark === true && <span>{t('option.marked')}</span>}
        </span>
        {lacksHd(result) && buttons.includes('mp4-hd') && (
          <span className="list-facts">{t('thin.text')}</span>
        )}
      </p>
      {option != null && <RowFile post={post} option={option} title={title} onAnnounce={onAnnounce} />}
      <RowMenu title={title} onRemove={onRemove}>
        {others.map((other) => (
          <RowFile key={other.id} post={post} option={other} title={title} onAnnounce={onAnnounce} />
        ))}
      </RowMenu>
    </>
  );
}

interface RowMenuProps {
  title: string;
  onRemove(): void;
  /** The post's other files. */
  children?: ReactNode;
}

/** The other files of a row, and its removal. */
function RowMenu({ title, onRemove, children }: RowMenuProps) {
  const t = useTranslate<'tool' | 'several-links'>();
  const isMounted = useMounted();
  return (
    <details className="list-menu">
      <summary className="button button-plain">
        <Icon name="chevron" />
        <VisuallyHidden>{t('list.menu', { title })}</VisuallyHidden>
      </summary>
      <div className="list-menu-items">
        {children}
        {isMounted && (
          <Button strength="plain" onClick={onRemove} className="list-action">
            {t('list.remove')}
            <VisuallyHidden>: {title}</VisuallyHidden>
          </Button>
        )}
      </div>
    </details>
  );
}

interface RowFileProps {
  post: ResolveResult['post'];
  option: DownloadOption;
  title: string;
  onAnnounce(text: string): void;
}

/** The file of this post that the page is for, and below it what became of the last press. */
export function RowFile({ post, option, title, onAnnounce }: RowFileProps) {
  const locale = useLocale();
  const { download, another, start, cancel } = useDownload({ post, option }, onAnnounce);
  return (
    <>
      <LinkButton
        strength="plain"
        icon="download"
        href={inLanguage(option.href, locale)}
        className="list-action"
        onClick={onPlainClick(start)}
      >
        {option.id === 'mp4-hd' ? 'MP4 HD' : option.format.toUpperCase()}
        <VisuallyHidden>: {title}</VisuallyHidden>
      </LinkButton>
      {download !== undefined && (
        <div className="list-download">
          <DownloadState {...{ download, another }} onCancel={cancel} onRetry={start} />
        </div>
      )}
    </>
  );
}
