import { useEffect, useRef } from 'react';
import { addressesWithoutPost, addressOf, recogniseAll } from '../../../downloader/links/recognise.ts';
import { linkTables } from '../../../downloader/links/tables.ts';
import type { ListResult } from '../../../site/api.ts';
import { useDocument } from '../../../site/document/document-context.tsx';
import { mostListed } from '../../../site/pages/tool/link-box/typed-links.ts';
import { AnotherLink } from '../../../site/pages/tool/result/result-rows.tsx';
import type { SeveralLinks, SeveralLinksProps } from '../../../site/pages/tool/state/several-links.tsx';
import { useTranslate } from '../../../site/translation.tsx';
import { LinkButton } from '../../../site/ui/controls.tsx';
import { Card } from '../../../site/ui/surfaces.tsx';
import styles from './list.css?url';
import { ListRow, RowFile } from './list-row.tsx';
import { SaveAll } from './save-all.tsx';
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
