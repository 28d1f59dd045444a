import { open } from 'node:fs/promises'
import { inflateSync } from 'node:zlib'

/** Half a second of video in an MP4: the boxes that describe it, then those with the pictures. */
const boxes = inflateSync(
  Buffer.from(
    'eNpjYGBQSSupLMgszs9lYGBiANFAbAbERmUFBpa5BSaGQPHtufn5ZQwMDBW5ZRkpjAwQ8Fzrli+CZn4BEWXcxgBUAFMDEWJABWh8Bwa8gAmI+EuK' +
      'ErOB7IySbLD9zJj2I5sKdAMDfjuxukEBihkY5+emZCYCGTq5Kbj8W2oAsyv0CJihm5GSUwQzrywzJRXZ/DAgP98jMS8lJxWkhtEuNzMvDcgQKcvN' +
      'SEFzjmoKRE42pSg1Dcm5vKVFOQowtX+LS5JygLRAcUlxMpJmIL+kGIkvApSvQvM7UE1yPhJ/I1BNCpJFC0Exj8RHDSsFIPQA0h4wFVxhAc4KzvlA' +
      'V6djj0GJ//9BthYkFhcgmSiSVFJUgqZSpKwg2RliXSMjL4QhnJyfU5SXnFMB1MXLwNgAFNLILUutADmlpAhMY3coA0MHMNmCQlAgNy0D2YMFwOQE' +
      'Dv0SkDgTONIZGSG6gWIpJeipo6SoNI+RgZkVyAbhCUxgYR6QsiwGBu5NQJofygfS3BchNPNzCM2wLjclsaTJs9kpgPED4zc2CxUZCSug6x0YlG7/' +
      '/785X/HWRD2plZ/VLlZ+vx8+59iE5Rq3rwZ+8HqdGd5xTtJKZ///H66f71yZmTPfP0iRQeuLOOfep7/lb37ltdpwRGaZxez+yYt2MP0HgkJ++///' +
      'Uw8wtDE4TJqj4aHAwAwMb2cHCNezAYXrkYDMVXGHyQIAMPqzdw==',
    'base64',
  ),
)
const describedBytes = 731

/**
 * Writes a video of `bytes` bytes that plays. Between its description and its pictures is empty space, in which each
 * megabyte begins with its number: no two parts are alike.
 */
export async function writeVideo(file: string, bytes: number): Promise<void> {
  const [description, pictures] = [boxes.subarray(0, describedBytes), boxes.subarray(describedBytes)]
  const space = Buffer.alloc(8)
  space.writeUInt32BE(bytes - boxes.length)
  space.write('free', 4, 'latin1')
  const output = await open(file, 'w')
  try {
    await output.write(Buffer.concat([description, space]), 0, undefined, 0)
    for (let at = 1024 ** 2; at < bytes - pictures.length - 8; at += 1024 ** 2) await output.write(String(at), at)
    await output.write(pictures, 0, undefined, bytes - pictures.length)
  } finally {
    await output.close()
  }
}
