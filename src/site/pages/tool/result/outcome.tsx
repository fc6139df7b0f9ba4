import type { ResolveResult } from '../../../api.ts';
import { Result, type ResultProps } from './result.tsx';
import { RunningConversions } from './running-conversions.tsx';

interface OutcomeProps extends Omit<ResultProps, 'result'> {
  /** The found post; null before. */
  result: ResolveResult | null;
  /** The text whose list is shown instead; null for none. */
  list: string | null;
}

/** The outcome of the visitor's links: the found post, and other posts' running conversions. */
export function Outcome({ result, list, ...rest }: OutcomeProps) {
  return (
    <>
      <RunningConversions shown={result?.post.id ?? list} onAnnounce={rest.onAnnounce} />
      {result !== null && <Result key={result.post.id} result={result} {...rest} />}
    </>
  );
}
