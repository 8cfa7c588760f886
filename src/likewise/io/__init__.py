"""Files: tables in, the folder of a run out.

=================  ==========================================================================
``atomic``         the one rule of writing: a file or folder is there whole or not at all
``json_values``    what JSON can hold, written readably, read back by key and kind
``tables``         CSV (UTF-8, one header line, any of ``, ; tab |``) and Parquet, by the ending
``number_format``  how numbers are written: decimals and thousands
``rows``           how rows are numbered: as a spreadsheet shows them
``preparation``    columns of all kinds as points, with a note of what was done to each
``run_folder``     the files that a run leaves: assignments, centres, certificate
``run_record``     ``run.json``: how a run came about
=================  ==========================================================================
"""
