/** The service reads 16 MiB of JSON; Base64 takes a third more than the file. */
export const MAX_FILE_BYTES = 11 * 1024 * 1024;

export function toBase64(file: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => resolve(String(reader.result).replace(/^[^,]*,/, '')));
    reader.addEventListener('error', () => reject(new Error('The file could not be read.')));
    reader.readAsDataURL(file);
  });
}
