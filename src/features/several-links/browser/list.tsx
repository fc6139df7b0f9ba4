import { useEffect, useRef } from 'react';
import { addressesWithoutPost, addressOf, recogniseAll } from '../../../downloader/links/recognise.ts';
import { linkTables } from '../../../downloader/links/tables.ts';
import { languages } from '../../../i18n/languages.ts';
import type { DownloadOption, ListResult, ResolveResult } from '../../../site/api.ts';
import type { RequestedFile } from '../../../site/browser/downloads/downloads.ts';
import { isElsewhere } from '../../../site/browser/downloads/file-requests.ts';
import type { DownloadButton } from '../../../site/configuration/configuration.ts';
import { useDocument } from '../../../site/document/document-context.tsx';
import { offersPictures } from '../../../site/pages/tool/files/choose-options.ts';
import { FileOption, OptionFace, optionLook } from '../../../site/pages/tool/files/file-option.tsx';
import { mostListed } from '../../../site/pages/tool/link-box/typed-links.ts';
import { AnotherLink } from '../../../site/pages/tool/result/result-rows.tsx';
import type { SeveralLinks, SeveralLinksProps } from '../../../site/pages/tool/state/several-links.tsx';
import { useLocale, useTranslate } from '../../../site/translation.tsx';
import { LinkButton } from '../../../site/ui/controls.tsx';
import { Card } from '../../../site/ui/surfaces.tsx';
import styles from './list.css?url';
import { ListRow, RowFile } from './list-row.tsx';
import { useRows } from './use-rows.ts';

function linksIn(text: string): string[] {
  return recogniseAll(text, linkTables, mostListed).map((link) => addressOf(link, linkTables));
}

/** Addresses without a post that are named. */
const mostUnread = 5;

const hasMore = (text: string) => recogniseAll(text, linkTables, mostListed + 1).length > mostListed;

/** Every post that a text names, as it is found, and all of their files at once. */
function List({ text, links, source, action, asking, buttons, onAnother, onAnnounce }: SeveralLinksProps) {
  const t = useTranslate<'tool' | 'several-links'>();
  const { manyPostsPath } = useDocument();
  const { rows, retry, remove } = useRows(links, asking);
  const results = rows.flatMap((row) => (row.state === 'ready' ? [row.result] : []));
  const unread = source === null ? addressesWithoutPost(text, linkTables, mostUnread) : [];
  const isSettled = rows.every(({ state }) => state === 'ready' || state === 'failed');
  const found = t('list.found', { found: results.length, count: rows.length });

  const announced = useRef(isSettled);
  useEffect(() => {
    if (!isSettled || announced.current) return;
    announced.current = true;
    onAnnounce(found);
  }, [isSettled, found, onAnnounce]);

  return (
    <Card className="list">
      <link rel="stylesheet" href={styles} precedence="default" />
      <div className="list-head">
        <h2>{source === null ? t('list.title') : <bdi>{source.title}</bdi>}</h2>
        <p>{found}</p>
      </div>
      {unread.length > 0 && (
        <p className="list-more">
          {t('list.unread')} <bdi>{unread.join(', ')}</bdi>
        </p>
      )}
      {hasMore(text) && (
        <p className="list-more">
          {t('list.more', { count: mostListed })}{' '}
          {manyPostsPath !== null && <a href={manyPostsPath}>{t('menu.many-posts')}</a>}
        </p>
      )}
      {source !== null && <Source source={source} onAnnounce={onAnnounce} />}
      <SaveAll text={text} results={results} buttons={buttons} onAnnounce={onAnnounce} />
      <ol className="list-rows">
        {rows.map((row) => (
          <ListRow
            key={row.link}
            row={row}
            action={action}
            buttons={buttons}
            onRetry={() => retry(row.link)}
            onRemove={() => remove(row.link)}
            onAnnounce={onAnnounce}
          />
        ))}
      </ol>
      <AnotherLink href={action} onAnother={onAnother} />
    </Card>
  );
}

/** A sound with its files, or a creator or hashtag; and that the platform shows no more of its posts. */
function Source({ source, onAnnounce }: { source: ListResult; onAnnounce(text: string): void }) {
  const t = useTranslate<'tool' | 'several-links'>();
  const { kind, artist, title, sound, picture_href: picture } = source;
  return (
    <>
      <p className="list-more">
        {artist !== '' && <bdi>{artist}. </bdi>}
        {t('list.newest')}
      </p>
      <div className="list-source">
        {sound?.options.map((option) => (
          <RowFile key={option.id} post={sound.post} option={option} title={title} onAnnounce={onAnnounce} />
        ))}
        {picture !== null && (
          <LinkButton strength="plain" icon="images" href={picture} download="" className="list-action">
            {t(kind === 'creator' ? 'list.picture' : 'list.cover')}
          </LinkButton>
        )}
      </div>
    </>
  );
}

/** Lists the posts of a text that names several. */
export const severalLinks: SeveralLinks = { catalogue: 'several-links', linksIn, Part: List };

interface SaveAllProps {
  /** The text of the list. */
  text: string;
  results: readonly ResolveResult[];
  buttons: readonly DownloadButton[];
  onAnnounce(text: string): void;
}

/** Ids of a post's option for each kind of zip, the best first. */
const wanted = { mp4: ['mp4', 'zip'], mp3: ['mp3'] } as const;

type ZipFormat = keyof typeof wanted;

/** All files of the list at once: the videos and pictures, or the sounds, as the page offers them. */
function SaveAll({ buttons, ...list }: SaveAllProps) {
  const formats: ZipFormat[] = [];
  if (offersPictures(buttons)) formats.push('mp4');
  if (buttons.includes('mp3')) formats.push('mp3');
  return (
    <div className="list-all">
      {formats.map((format, at) => (
        <SaveFormat key={format} {...list} format={format} strength={at === 0 ? 'action' : 'plain'} />
      ))}
    </div>
  );
}

interface SaveFormatProps extends Omit<SaveAllProps, 'buttons'> {
  format: ZipFormat;
  strength: 'action' | 'plain';
}

function SaveFormat({ text, results, format, strength, onAnnounce }: SaveFormatProps) {
  const t = useTranslate<'tool' | 'several-links'>();
  const { intl } = languages[useLocale()];
  const options = optionsOf(results, format);
  const photos = options.filter((option) => option.format === 'zip').length;
  const contents = [
    ...(options.length > photos ? [t('list.videos', { count: options.length - photos })] : []),
    ...(photos > 0 ? [t('list.photos', { count: photos })] : []),
  ];
  const said = new Intl.ListFormat(intl, { type: 'unit' }).format(contents);
  const words =
    format === 'mp4'
      ? { name: t('option.zip'), remark: said }
      : { name: t('list.sounds', { count: options.length }), remark: '' };
  const [first] = results;
  const option = zipOf(options, format);
  // It keeps its place until there is a file.
  if (first === undefined || options.length === 0)
    return (
      <div className="option">
        <a {...optionLook(option, strength, undefined)} aria-disabled="true">
          <OptionFace option={option} download={undefined} another={false} facts={[words.remark]}>
            {words.name}
          </OptionFace>
        </a>
      </div>
    );
  const title = format === 'mp4' ? said : words.name;
  const file: RequestedFile = {
    post: { ...first.post, id: text, title },
    option,
    parts: options.flatMap(({ status_href }) => status_href ?? []),
  };
  return <FileOption key={option.id} {...{ file, words, strength, onAnnounce }} />;
}

/** The files of a zip, one of each post. What another backend has cannot be packed here. */
function optionsOf(results: readonly ResolveResult[], format: ZipFormat): DownloadOption[] {
  return results.flatMap((result) =>
    wanted[format]
      .flatMap((id) => result.options.filter((option) => option.id === id && !isElsewhere(option)))
      .slice(0, 1),
  );
}

const ticketOf = ({ href }: DownloadOption) => href.slice(href.lastIndexOf('/') + 1);

/** A zip of files, as an option of all of their posts. */
const zipOf = (options: readonly DownloadOption[], format: ZipFormat): DownloadOption => ({
  ...{ id: `list-${format}-${options.length}`, format: 'zip', label: 'ZIP' },
  ...{ width: null, height: null, bytes: null, codec: null },
  href: `/api/files/zip?${options.map((option) => `file=${ticketOf(option)}`).join('&')}`,
});
