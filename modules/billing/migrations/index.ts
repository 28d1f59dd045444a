import { sales } from './0001-sales.ts'
import { edits } from './0002-edits.ts'

export const migrations = [sales, edits]
