import { asFailure } from '../../failures/failures.ts';
import { type StoredQuota, storedBytes } from '../../server/http/limits/stored-quota.ts';
import type { RateLimit } from '../../server/http/limits/visitor-limits.ts';
import type { MessageReceiver } from '../../server/rendering/site-services.ts';
import { checkForm, type FieldValues, type FormName, trapName } from '../../site/forms.ts';
import type { Messages } from './messages.ts';

/** Default retry time, in seconds. */
const usualWaitS = 60;

/** The subject's prefix of a notice, for the operator to sort by. */
const subjectOf = (form: FormName, values: FieldValues) =>
  form === 'dmca' ? `DMCA: ${values.on_behalf || values.name}` : (values.subject ?? '');

/** Called with a stored message; never rejects. */
export type OnStored = (message: { readonly id: number; readonly email: string }) => Promise<void>;

/**
 * Creates the receiver that checks messages, stores them, and only then confirms them.
 * @param limit of each visitor
 * @param quota of all stored messages
 */
export function createMessageReceiver(
  messages: Pick<Messages, 'keep'>,
  onStored: OnStored,
  limit: RateLimit,
  quota: StoredQuota,
): MessageReceiver {
  return async ({ form, locale, given }, { visitor, log }) => {
    const { values, faults } = checkForm(form, given);
    if (Object.keys(faults).length > 0) return { kind: 'wrong', values, faults };
    try {
      await limit(visitor);
      const trap = given[trapName];
      const unwanted = typeof trap === 'string' && trap !== '';
      const email = values.email ?? '';
      await quota(visitor, storedBytes(values));
      const { id, reference } = await messages.keep({
        form,
        locale,
        name: values.name ?? '',
        email,
        subject: subjectOf(form, values),
        fields: values,
        unwanted,
      });
      if (!unwanted) await onStored({ id, email });
      return { kind: 'sent', reference };
    } catch (thrown) {
      const failure = asFailure(thrown);
      const isLimit = failure.key === 'rate_limited';
      log[isLimit ? 'info' : 'error']({ err: failure, key: failure.key }, 'message not kept');
      const retryAfterS = failure.retryAfterS ?? usualWaitS;
      return { kind: 'failed', values, reason: isLimit ? 'limit' : 'unavailable', retryAfterS };
    }
  };
}
