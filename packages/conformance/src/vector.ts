/** One known answer: an input, the answer to it, and where the answer comes from. */
export interface Vector {
  /** stable, `<origin>/<group>/<number>-<slug>` */
  id: string;
  name: string;
  /** the file of the reference that states or implies the answer; where it is known, with the first digits of its content's hash */
  source: string;
  note?: string;
  /** a test of the reference states the answer; else it follows from its code */
  pinned?: boolean;
  /** the value was computed by the reference's rule */
  computed?: boolean;
  /** the answer is this project's own, and the reference gives another */
  differs_from_reference?: boolean;
}

/** The vectors of one kind, and how to spoil their answers. */
export interface Group<V extends Vector> {
  vectors: readonly V[];
  /** The vector once for every leaf of its answer, with that leaf changed and the name saying which. */
  mutants(vector: V): V[];
}
