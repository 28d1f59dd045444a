import { extractText, getDocumentProxy } from 'unpdf'

/** All that can be read in a file: the text of a PDF with its metadata, or the content itself. */
export async function readContent(content: Buffer): Promise<string> {
  if (content.subarray(0, 5).toString() !== '%PDF-') return content.toString()
  // The content is moved to the program that reads it.
  const pdf = await getDocumentProxy(new Uint8Array(content))
  const [{ text }, { info, metadata }] = await Promise.all([extractText(pdf, { mergePages: true }), pdf.getMetadata()])
  return [text, JSON.stringify(info), metadata?.getRaw() ?? '', content.toString('latin1')].join('\n')
}
