/** A response that browsers save as the CSV file `name`. Parts of the file are read as they can be sent. */
export function csvResponse(name: string, file: string | AsyncIterable<string>): Response {
  const asciiName = name.normalize('NFKD').replace(/[^\x20-\x7e]|["\\]/g, '')
  const encodedName = encodeURIComponent(name).replace(
    /['()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return new Response(typeof file === 'string' ? file : toStream(file), {
    headers: {
      'Content-Type': 'text/csv; charset=utf-8',
      'Content-Disposition': `attachment; filename="${asciiName}"; filename*=UTF-8''${encodedName}`,
      'X-Content-Type-Options': 'nosniff',
    },
  })
}

/** Not through a stream of Node: when a download is cancelled, that one emits an error that ends the process. */
function toStream(parts: AsyncIterable<string>): ReadableStream<Uint8Array> {
  const iterator = parts[Symbol.asyncIterator]()
  const encoder = new TextEncoder()
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await iterator.next()
      if (done) controller.close()
      else controller.enqueue(encoder.encode(value))
    },
    async cancel() {
      await iterator.return?.()
    },
  })
}
