/**
 * In this header the rendered document passes its inline scripts' hashes to the server, which allows these and no
 * others. It is removed before the response is sent.
 */
export const scriptHashesHeader = 'x-script-hashes';
