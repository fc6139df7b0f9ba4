import type { ResolveResult } from '../../../api.ts';
import { Result, type ResultProps } from './result.tsx';
import { RunningConversions } from './running-conversions.tsx';

interface OutcomeProps extends Omit<ResultProps, 'result'> {
  /** Null while there is none. */
  result: ResolveResult | null;
}

/** What has come of the visitor's links: the post that was found, and conversions of others that go on. */
export function Outcome({ result, ...rest }: OutcomeProps) {
  return (
    <>
      <RunningConversions shownPost={result?.post.id ?? null} onAnnounce={rest.onAnnounce} />
      {result !== null && <Result key={result.post.id} result={result} {...rest} />}
    </>
  );
}
