/**
 * With this header the rendered document names its own inline scripts to the server, which allows these and no others.
 * It leaves the process with no answer.
 */
export const scriptHashesHeader = 'x-script-hashes';
