/** A phrase that is reported: its pattern, what to write instead, and a text that contains it. */
export type Phrase = [pattern: string, instead: string, example: string];

/** The patterns are case-insensitive and match whole words; a space matches any white space. */
export const phrases: Phrase[] = [
  ["nobody", "no one", "As nobody can read it."],
  ["(?:any|some|every)body", "anyone, someone or everyone", "Somebody has a copy."],
  ["who(?:m|ever|mever|soever)", "you, who, or a name such as the user", "It depends on whoever calls."],
  ["anew", "again", "Sign in anew."],
  ["lest", "so that … not", "It is locked, lest it change."],
  ["for ever", "forever", "It waits for ever."],
  ["by then", "until then, or the time", "It has expired by then."],
  [
    "thus|hence|thereby|therein|thereof|whereby|wherein|hereby|whence|whilst|amongst|upon|shall",
    "so, by, in, of, while, among, on or must",
    "The token is thus revoked.",
  ],

  [
    "(?:its|their|your|our|his|her|my|one's|(?:an|the)) own (?:one|ones)|of (?:its|their|your|our|his|her|my|one's) own",
    "its X",
    "A process of its own runs it.",
  ],
  ["an own", "its, your or a separate", "It has an own pool."],
  ["stand(?:s|ing)? (?:in|there|under|behind|alone)|stood in", "is in", "The key stands in the header."],
  ["as (?:it|they) stands?", "unchanged", "Run the example as it stands."],
  ["belongs? into", "is in, or goes in", "It belongs into a package."],
  ["(?:is|are|was|were) to be", "must be", "The server is to be restarted."],
  [
    "(?:has|have|had|having) (?:it|them|(?:each|every|all) \\w+) (?:\\w+ed|done|made|sent|lost|kept|written|given)",
    "the verb itself",
    "The tests have each answer lost.",
  ],
  ["(?:come|comes|came) of it", "result", "The page shows what came of it."],
  ["what (?:is|was) (?:due|held|left|sealed)", "pending, or the name of the thing", "It reads what is due."],

  ["what (?:became|becomes?) of", "result, or outcome", "It shows what became of each delivery."],
  ["on (?:its|their) way", "in flight, or in progress", "Some deliveries are on their way."],
  ["where there (?:is|are|was|were)", "if there is", "It sends a body where there is one."],
  ["whose (?:it|they|that|this) (?:is|are)", "the owner", "It shows whose it is."],

  ["told|tells? of", "receives, shows, reports or is notified of", "The operator is told."],
  ["those (?:that|who|which)", "X that", "Those that failed are sent again."],
  ["the ones? (?:of|that|which|who)", "X of, X that", "It is the one that sends."],
  ["other than that", "otherwise, or except that", "Other than that it is free."],
  ["beside", "next to, or in addition to", "The label is beside the field."],
  ["(?<!\\b(?:API|worker|ones|programs) )(?<!-)\\balone\\b", "only", "It accepts POST alone."],
  ["all the same", "still, or anyway", "It is sent all the same."],
  ["the way is open|opens? the way", "the circuit is closed", "A success opens the way."],
  ["(?:platform's|own) doors?", "Platform API", "It is the platform's own door."],
];

/** Metaphors that are no names of variables, functions, types, properties and files. */
export const metaphors =
  /^(?:doors?|gates?|pump(?:s|ed|ing)?|drain(?:s|ed|ing)?|houses?|rooms?|scenes?|worlds?|kits?|askers?|stages?)$/;

/** Characters that a sentence of a document or comment has at most. */
export const longestSentence = 200;
