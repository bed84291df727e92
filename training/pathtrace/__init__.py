"""A second renderer, for testing only: physically based pictures of dice (Mitsuba), with labels.

Nothing here is shared with `training.synth`, which draws the training pictures: other solids (true fillets in a
mesh), other faces, materials, lamps, tables, lens and sensor. A reader that does well on these pictures has not
merely learnt its own renderer's habits. The only inputs are dice sets (`vision.dicesets.model`) and where the faces
of a shape lie (`vision.render.solid.facets`).

Lengths are millimetres; the table is the plane z = 0, z points up. Pictures have x to the right and y down, and pixel
(0, 0) covers the square from (0, 0) to (1, 1).

`python -m training.pathtrace SET -o FOLDER --pictures N --seed S` makes an album; the extra `proof` brings `mitsuba`.
"""
