/** Room on a disk or in memory, for operators: `13 MiB`, `4.2 GiB`. @param bytes a small disk is not "0.0 GiB" */
export const roomText = (bytes: number): string =>
  bytes < 2 ** 30 ? `${Math.round(bytes / 2 ** 20)} MiB` : `${(bytes / 2 ** 30).toFixed(1)} GiB`;
