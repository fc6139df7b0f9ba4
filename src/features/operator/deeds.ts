import type { Logger } from 'pino';
import { asFailure } from '../../failures/failures.ts';
import type { DeedOutcome, DeedRequest, DeskPage } from '../../web/desk/desk-page.ts';
import type { AuditLog } from './audit-log.ts';
import { textIn } from './forms.ts';

interface Done {
  /** Number in the audit log. */
  readonly entry: number;
  readonly outcome: DeedOutcome;
}

/** Makes what does a page's deed: it is in the audit log before it begins, and its outcome once it has ended. */
export function createDeeds(log: Pick<AuditLog, 'add' | 'end'>, logger: Pick<Logger, 'error'>) {
  async function outcomeOf(page: DeskPage, name: string, request: DeedRequest): Promise<DeedOutcome> {
    const deed = Object.hasOwn(page.deeds ?? {}, name) ? page.deeds?.[name] : undefined;
    if (deed === undefined) return { outcome: 'refused', object: '', text: 'There is no such deed.' };
    try {
      return await deed(request);
    } catch (thrown) {
      const { key, message } = asFailure(thrown, 'internal');
      logger.error({ err: thrown, page: page.name, deed: name }, 'deed failed');
      return {
        outcome: 'failed',
        object: '',
        text: `It failed: ${key === 'internal' ? String(thrown) : message}`,
      };
    }
  }

  return async (page: DeskPage, request: DeedRequest, block: string): Promise<Done> => {
    const name = textIn(request.form, 'deed').slice(0, 40);
    const what = `${page.name} ${name}`;
    const entry = await log.add({ what, object: '', block, outcome: 'begun', text: '' });
    const outcome = await outcomeOf(page, name, request);
    await log.end(entry, outcome);
    return { entry, outcome };
  };
}
