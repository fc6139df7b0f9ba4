import type { ResolveResult } from '../../../api.ts';
import { Result, type ResultProps } from './result.tsx';
import { RunningConversions } from './running-conversions.tsx';

interface OutcomeProps extends Omit<ResultProps, 'result'> {
  /** Null while there is none. */
  result: ResolveResult | null;
}

/** The outcome of the visitor's links: the found post, and other posts' running conversions. */
export function Outcome({ result, ...rest }: OutcomeProps) {
  return (
    <>
      <RunningConversions shownPost={result?.post.id ?? null} onAnnounce={rest.onAnnounce} />
      {result !== null && <Result key={result.post.id} result={result} {...rest} />}
    </>
  );
}
