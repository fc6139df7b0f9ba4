import { Suspense, useEffect, useState } from 'react';
import { whenIdle } from '../../../site/browser/later-work.ts';
import { useMounted } from '../../../site/browser/mounted.ts';
import { lazyPart } from '../../../site/browser/navigation/lazy-part.tsx';
import type { ResultPart, ResultPartProps } from '../../../site/pages/tool/result/result-parts.tsx';
import { ResultFold } from '../../../site/pages/tool/result/result-rows.tsx';
import { useTranslate } from '../../../site/translation.tsx';
import { PostFacts } from './post-facts.tsx';
import './styles.css';

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
