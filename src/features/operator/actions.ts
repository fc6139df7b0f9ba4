import type { Logger } from 'pino';
import { ZodError } from 'zod';
import { asFailure } from '../../failures/failures.ts';
import {
  type ActionOutcome,
  type ActionRequest,
  type DeskPage,
  Refused,
} from '../../server/desk/desk-page.ts';
import { type AuditLog, type DoneBy, mostLetters } from './audit-log.ts';
import { textIn } from './http.ts';

interface Done {
  /** Number in the audit log. */
  readonly entry: number;
  readonly outcome: ActionOutcome;
}

/** The sentence about values that the action's schema refuses. */
function wrongFields({ issues }: ZodError): string {
  const names = new Set(issues.map(({ path }) => `"${path.join('.')}"`));
  return `Nothing was done: what the form says for ${[...names].join(', ')} is none of its values.`;
}

/** Makes the runner of actions: the audit log has an action before it begins, and its outcome once it has ended. */
export function createActions(log: Pick<AuditLog, 'add' | 'end'>, logger: Pick<Logger, 'error'>) {
  async function outcomeOf(page: DeskPage, name: string, request: ActionRequest): Promise<ActionOutcome> {
    const action = Object.hasOwn(page.actions ?? {}, name) ? page.actions?.[name] : undefined;
    try {
      if (action === undefined) throw new Refused('There is no such action.');
      return await action(request);
    } catch (thrown) {
      if (thrown instanceof Refused) return { outcome: 'refused', object: '', text: thrown.message };
      if (thrown instanceof ZodError) return { outcome: 'refused', object: '', text: wrongFields(thrown) };
      const { key, message } = asFailure(thrown, 'internal');
      logger.error({ err: thrown, page: page.name, action: name }, 'action failed');
      return {
        outcome: 'failed',
        object: '',
        text: `It failed: ${key === 'internal' ? String(thrown) : message}`,
      };
    }
  }

  return async (page: DeskPage, request: ActionRequest, by: DoneBy): Promise<Done> => {
    const name = textIn(request.form, 'action').slice(0, 40);
    const what = `${page.name} ${name}`;
    const entry = await log.add({ what, object: '', ...by, outcome: 'begun', text: '' });
    const ended = await outcomeOf(page, name, request);
    const outcome = { ...ended, text: ended.text.slice(0, mostLetters) };
    await log.end(entry, outcome);
    return { entry, outcome };
  };
}
