import { defineVariables, wholeNumber } from '../../process/variables.ts';

/** How many messages and mails there may be, and how long messages are kept. */
export const messageVariables = defineVariables({
  MESSAGES_PER_HOUR: wholeNumber(1, 100_000).default(10),
  ACKNOWLEDGEMENTS_PER_HOUR: wholeNumber(0, 100_000).default(60),
  MAILS_PER_HOUR: wholeNumber(1, 100_000).default(60),
  MESSAGES_DAYS: wholeNumber(1, 36_500).default(365),
});
