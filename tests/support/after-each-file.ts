import { afterAll } from 'vitest';
import { endWhatIsLeft } from './processes.ts';

// Begun first, it is done last, after what the file itself does at its end.
afterAll(endWhatIsLeft);
