const owned = Symbol('owned')
type Owned = Buffer & { [owned]?: true }

/** Says that the code that writes the chunk may release its memory: nobody else uses it. */
export const markOwned = (chunk: Buffer): void => void ((chunk as Owned)[owned] = true)

export function releaseOwned(chunk: Buffer): void {
  if ((chunk as Owned)[owned]) releaseMemory(chunk)
}

/**
 * Frees the memory of a chunk that nobody else uses. Left to the garbage collector, each 64 MB of a file cost a
 * collection of the whole heap.
 */
export function releaseMemory({ buffer, byteLength }: Buffer): void {
  // A small chunk shares its memory with others.
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0)
}
