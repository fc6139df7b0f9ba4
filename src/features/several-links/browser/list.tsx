import { useEffect, useRef } from 'react';
import { addressOf, recogniseAll } from '../../../downloader/links/recognise.ts';
import { linkTables } from '../../../downloader/links/tables.ts';
import { AnotherLink } from '../../../site/pages/tool/result/another-link.tsx';
import type { SeveralLinks, SeveralLinksProps } from '../../../site/pages/tool/state/several-links.tsx';
import { useTranslate } from '../../../site/translation.tsx';
import { Card } from '../../../site/ui/surfaces.tsx';
import { mostLinks } from '../most-links.ts';
import styles from './list.css?url';
import { ListRow } from './list-row.tsx';
import { SaveAll } from './save-all.tsx';
import { useRows } from './use-rows.ts';

function linksIn(text: string): string[] {
  return recogniseAll(text, linkTables, mostLinks).map((link) => addressOf(link, linkTables));
}

const hasMore = (text: string) => recogniseAll(text, linkTables, mostLinks + 1).length > mostLinks;

/** Every post that a text names, as it is found, and all of their files at once. */
function List({ text, links, action, asking, buttons, onAnother, onAnnounce }: SeveralLinksProps) {
  const t = useTranslate<'tool' | 'several-links'>();
  const { rows, retry } = useRows(links, asking);
  const results = rows.flatMap((row) => (row.state === 'ready' ? [row.result] : []));
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
        <h2>{t('list.title')}</h2>
        <p>{found}</p>
      </div>
      {hasMore(text) && <p className="list-more">{t('list.more', { count: mostLinks })}</p>}
      <SaveAll results={results} buttons={buttons} onAnnounce={onAnnounce} />
      <ol className="list-rows">
        {rows.map((row, at) => (
          <ListRow
            key={row.link}
            row={row}
            action={action}
            buttons={buttons}
            onRetry={() => retry(at)}
            onAnnounce={onAnnounce}
          />
        ))}
      </ol>
      <AnotherLink href={action} onAnother={onAnother} />
    </Card>
  );
}

/** Lists the posts of a text that names several. */
export const severalLinks: SeveralLinks = { catalogue: 'several-links', linksIn, Part: List };
