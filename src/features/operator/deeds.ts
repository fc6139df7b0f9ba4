import type { Logger } from 'pino';
import { ZodError } from 'zod';
import { asFailure } from '../../failures/failures.ts';
import type { DeedOutcome, DeedRequest, DeskPage } from '../../server/desk/desk-page.ts';
import { type AuditLog, type DoneBy, mostLetters } from './audit-log.ts';
import { textIn } from './forms.ts';

interface Done {
  /** Number in the audit log. */
  readonly entry: number;
  readonly outcome: DeedOutcome;
}

/** The sentence about values that the deed's schema refuses. */
function wrongFields({ issues }: ZodError): string {
  const names = new Set(issues.map(({ path }) => `"${path.join('.')}"`));
  return `Nothing was done: what the form says for ${[...names].join(', ')} is none of its values.`;
}

/** Makes the runner of deeds: the audit log has a deed before it begins, and its outcome once it has ended. */
export function createDeeds(log: Pick<AuditLog, 'add' | 'end'>, logger: Pick<Logger, 'error'>) {
  async function outcomeOf(page: DeskPage, name: string, request: DeedRequest): Promise<DeedOutcome> {
    const deed = Object.hasOwn(page.deeds ?? {}, name) ? page.deeds?.[name] : undefined;
    if (deed === undefined) return { outcome: 'refused', object: '', text: 'There is no such deed.' };
    try {
      return await deed(request);
    } catch (thrown) {
      if (thrown instanceof ZodError) return { outcome: 'refused', object: '', text: wrongFields(thrown) };
      const { key, message } = asFailure(thrown, 'internal');
      logger.error({ err: thrown, page: page.name, deed: name }, 'deed failed');
      return {
        outcome: 'failed',
        object: '',
        text: `It failed: ${key === 'internal' ? String(thrown) : message}`,
      };
    }
  }

  return async (page: DeskPage, request: DeedRequest, by: DoneBy): Promise<Done> => {
    const name = textIn(request.form, 'deed').slice(0, 40);
    const what = `${page.name} ${name}`;
    const entry = await log.add({ what, object: '', ...by, outcome: 'begun', text: '' });
    const ended = await outcomeOf(page, name, request);
    const outcome = { ...ended, text: ended.text.slice(0, mostLetters) };
    await log.end(entry, outcome);
    return { entry, outcome };
  };
}
